; division by zero is a function of the dividend
(declare-const x Int)
(declare-const y Int)
(assert (= (div x 0) 5))
(assert (= (div y 0) 6))
(check-sat)
(assert (= x y))
(check-sat)
