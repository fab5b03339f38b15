;@ verdict: safe
;@ engines: portfolio
declare void @reach_error()

declare { i128, i1 } @llvm.umul.with.overflow.i128(i128, i128)
declare { i128, i1 } @llvm.sadd.with.overflow.i128(i128, i128)
define i32 @main() {
  %m = call { i128, i1 } @llvm.umul.with.overflow.i128(i128 18446744073709551616, i128 18446744073709551615)
  %over = extractvalue { i128, i1 } %m, 1
  br i1 %over, label %bad, label %next
next:
  %l = call { i128, i1 } @llvm.sadd.with.overflow.i128(i128 170141183460469231731687303715884105727, i128 -1)
  %more = extractvalue { i128, i1 } %l, 1
  br i1 %more, label %bad, label %ok
bad:
  call void @reach_error()
  unreachable
ok:
  ret i32 0
}
