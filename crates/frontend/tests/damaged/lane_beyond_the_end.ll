;@ verdict: unsafe
;@ engines: portfolio
declare
  i32 @__VERIFIER_nondet_int()
declare void @reach_error()
declare void @llvm.assume(i1)
define i32 @main() {
  %a = add <2 x i32> <i32 1, i32 2>, <i32 3, i32 4>
  %x = extractelement <2 x i32> %a, i32 0
  %y = extractelement <2 x i32> %a, i32 9
  %s = add i32 %x, %y
  %c = icmp eq i32 %s, 11
  br i1 %c, label %ok, label %bad
bad:
  call void @reach_error()
  unreachable
ok:
  ret i32 0
}
