;@ verdict: unsafe
;@ engines: portfolio
declare i32 @__VERIFIER_nondet_int()
declare void @reach_error()
declare void @llvm.assume(i1)
define i32 @main() {
  %s = alloca [16 x i8], align 8
  store i64 7, ptr %s, align 8
  %q = getelementptr inbounds i8, ptr %s, i64 8
  store i32 9, ptr %q, align 4
  %x = load i64, ptr %s, align 8
  %y = load i32, ptr %q, align 4
  %w = sext i32 %y to i64
  %sum = add nsw i64 %x, %w
  %c = icmp eq i64 %sum, 17
  br i1 %c, label %ok, label %bad
bad:
  call void @reach_error()
  unreachable
ok:
  ret i32 0
}
