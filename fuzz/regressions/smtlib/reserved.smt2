(set-logic QF_LIA)
(declare-fun @x () Int)(declare-fun .y () Int)(assert (< (+ @x (* 2 .y)) (- 3)))(assert (= (div .y 0) @x))(check-sat)