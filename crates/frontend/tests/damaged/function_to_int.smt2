;@ verdict: unsafe((set-logic HORN)
(declare-fun start 
Int Int)