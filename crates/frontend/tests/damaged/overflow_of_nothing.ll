;@ verdict: safe
;@ engines: portfolio
declare i32 @__VERIFIER_nondet_int()
declare void @reach_error()
declare void @llvm.assume(i1)
declare { i32, i1 } @llvm.sadd.with.overflow.i32(i32, i32)define i32 @main() {
  %n = call i32 @__VERIFIER_nondet_int()
  %r = call { i32, i1 } @llvm..with.overflow.i32(i32 %n, i32 1)
  %v = extractvalue { i32, i1 } %r, 0
  %o = extractvalue { i32, i1 } %r, 1
  br i1 %o, label %ok, label %fits
fits:
  %c = icmp sgt i32 %v, %n
  br i1 %c, label %ok, label %bad
bad:
  call void @reach_error()
  unreachable
ok:
  ret i32 0
}
