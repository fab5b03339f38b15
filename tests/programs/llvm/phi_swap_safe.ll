;@ verdict: safe
;@ engines: portfolio
declare i32 @__VERIFIER_nondet_int()
declare void @reach_error()
declare void @llvm.assume(i1)
define i32 @main() {
entry:
  br label %loop
loop:
  %a = phi i32 [ 1, %entry ], [ %b, %loop ]
  %b = phi i32 [ 2, %entry ], [ %a, %loop ]
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %j = add nsw i32 %i, 1
  %more = icmp slt i32 %j, 3
  br i1 %more, label %loop, label %end
end:
  %c = icmp eq i32 %a, 1
  br i1 %c, label %ok, label %bad
bad:
  call void @reach_error()
  unreachable
ok:
  ret i32 0
}
