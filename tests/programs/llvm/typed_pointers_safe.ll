;@ verdict: safe
;@ engines: portfolio
declare i32 @__VERIFIER_nondet_int()
declare void @reach_error()
declare void @llvm.assume(i1)
@table = global [3 x i32] [i32 4, i32 5, i32 6]
define i32 @main() {
  %n = call i32 @__VERIFIER_nondet_int()
  %low = icmp sge i32 %n, 0
  %high = icmp slt i32 %n, 3
  call void @llvm.assume(i1 %low)
  call void @llvm.assume(i1 %high)
  %i = sext i32 %n to i64
  %p = getelementptr inbounds [3 x i32], [3 x i32]* @table, i64 0, i64 %i
  %x = load i32, i32* %p, align 4
  %c = icmp sgt i32 %x, 3
  br i1 %c, label %ok, label %bad
bad:
  call void @reach_error()
  unreachable
ok:
  ret i32 0
}
