;@ verdict: unsafe
;@ engines: portfolio, impact
(set-logic HORN)
(declare-fun p ((Array Int Int) Int) Bool)
(assert (forall ((a (Array Int Int))) (=> (= (select a 0) 7) (p a 2))))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (p a i) (>= i 0)) (p (store a i 3) (- i 1)))))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (p a i) (not (= (select a 0) 7))) false)))
(check-sat)
