;@ verdict: unsafe
;@ engines: portfolio
declare i32 @__VERIFIER_nondet_int()
declare void @reach_error()
declare void @llvm.assume(i1)
define i32 @main() {
entry:
  %n = call i32 @__VERIFIER_nondet_int()
  switch i32 %n, label %other [
    i32 1, label %one
    i32 -2, label %two
  ]
one:
  br label %join
two:
  br label %join
other:
  br label %join
join:
  %v = phi i32 [ 10, %one ], [ 20, %two ], [ 30, %other ]
  %neg = icmp slt i32 %n, 0
  %w = select i1 %neg, i32 %v, i32 20
  %c = icmp sge i32 %w, 21
  br i1 %c, label %ok, label %bad
bad:
  call void @reach_error()
  unreachable
ok:
  ret i32 0
}
