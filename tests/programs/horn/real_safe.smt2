;@ verdict: safe
(set-logic HORN)
(declare-fun p (Real Real) Bool)
(assert (forall ((x Real)) (=> (and (>= x 0.5) (<= x 1.5)) (p x (* 2.0 x)))))
(assert (forall ((x Real) (y Real)) (=> (p x y) (p (+ x 0.25) (+ y 0.5)))))
(assert (forall ((x Real) (y Real)) (=> (and (p x y) (< y 1.0)) false)))
(check-sat)
