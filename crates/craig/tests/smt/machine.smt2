; C's operators under the names of the printer
(declare-const x Int)
(assert (<= 0 x 255))
(assert (= (bit.and x 15) 9))
(assert (= (wrap.s8 (* x 2)) (- 14)))
(check-sat)
(get-value (x (c.div (- 7) 2) (c.rem (- 7) 2) (div (- 7) 2) (mod (- 7) 2)))
