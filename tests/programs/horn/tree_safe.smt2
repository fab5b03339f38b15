;@ verdict: safe
;@ engines: portfolio, whale
; Two premises: a sum over a tree is at least its depth.
(set-logic HORN)
(declare-fun sum (Int Int) Bool)
(assert (forall ((d Int)) (=> (<= d 0) (sum d 1))))
(assert (forall ((d Int) (a Int) (b Int))
  (=> (and (> d 0) (sum (- d 1) a) (sum (- d 1) b)) (sum d (+ a b)))))
(assert (forall ((d Int) (s Int)) (=> (and (sum d s) (< s 1)) false)))
(check-sat)
