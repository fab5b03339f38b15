;@ verdict: unsafe
;@ engines: portfolio
; Any number of threads pass a token; two of them are followed, with whose turn it is and how often it went round. A thread
; that goes in without the token meets the other.
(set-logic HORN)
; where the first is, where the second is, who has the token, rounds
(declare-fun State (Int Int Int Int) Bool)
(assert (forall ((turn Int)) (=> (= turn 0) (State 0 0 turn 0))))
; The two are alike.
(assert (forall ((a Int) (b Int) (turn Int) (n Int)) (=> (State a b turn n) (State b a (- 1 turn) n))))
; The first goes in.
(assert (forall ((a Int) (b Int) (turn Int) (n Int)) (=> (and (State a b turn n) (= a 0) (= turn 0)) (State 1 b turn n))))
; It leaves and gives the token away.
(assert (forall ((a Int) (b Int) (turn Int) (n Int))
  (=> (and (State a b turn n) (= a 1) (= turn 0)) (State 1 b 1 (+ n 1)))))
; A third thread takes a turn between them: it is somewhere for both.
(assert (forall ((a Int) (b Int) (c Int) (turn Int) (n Int) (m Int))
  (=> (and (State a b turn n) (State c b turn m) (= c 0)) (State a b turn m))))
(assert (forall ((a Int) (b Int) (turn Int) (n Int)) (=> (and (State a b turn n) (>= a 1) (>= b 1)) false)))
(check-sat)
