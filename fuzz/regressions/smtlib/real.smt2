(declare-const x Real)(assert (< 0.5 (/ x 3) 1.0e0))(assert (= x 1/3))(check-sat)
)(