;@ verdict: safe
;@ engines: portfolio
declare i32 @__VERIFIER_nondet_int()
declare void @reach_error()
declare void @llvm.assume(i1)
define i32 @main() {
  %x = add nsw i32 2, 3
  %c = icmp eq i32 %x, 5
  br i1 %c, label %ok, label %bad
bad:
  call void @reach_error()
  unreachable
ok:
  ret i32 0
}
