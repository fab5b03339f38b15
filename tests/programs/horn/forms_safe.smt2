;@ verdict: safe
;@ engines: all except trace: its summaries do not come to support each other
; Forms that systems come in: Boolean arguments, exists in a body, let and ite, heads with terms in
; place of variables, facts without a body, a predicate that no clause derives, one that nothing uses.
(set-logic HORN)
(declare-fun p (Int Bool) Bool)
(declare-fun q (Int Bool) Bool)
(declare-fun never (Int) Bool)
(declare-fun unused (Int) Bool)
(assert (p 0 true))
(assert (forall ((x Int)) (=> (exists ((y Int)) (and (p y true) (= x (+ y 2)))) (p x false))))
(assert (forall ((x Int) (b Bool)) (=> (and (p x b) (not b)) (p (ite (> x 100) 0 x) true))))
(assert (forall ((x Int) (b Bool)) (let ((z (* 2 x))) (=> (p x b) (q z (not b))))))
(assert (forall ((x Int)) (=> (p x true) (unused x))))
(assert (forall ((x Int)) (=> (never x) false)))
(assert (forall ((x Int) (b Bool)) (=> (and (q x b) (never x)) false)))
(assert (forall ((x Int) (b Bool)) (not (and (q x b) (< x 0)))))
(check-sat)
