;@ verdict: unsafe
;@ engines: portfolio
declare i32 @__VERIFIER_nondet_int()
declare void @reach_error()
declare void @llvm.assume(i1)
define i32 @main() {
  %n = call i32 @__VERIFIER_nondet_int()
  %x = trunc i32 %n to i5
  %y = add i5 %x, 1
  %z = icmp ugt i5 %y, %x
  %w = icmp eq i5 %x, -2
  %c = or i1 %z, %w
  br i1 %c, label %ok, label %bad
bad:
  call void @reach_error()
  unreachable
ok:
  ret i32 0
}
