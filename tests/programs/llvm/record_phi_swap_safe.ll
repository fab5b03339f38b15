;@ verdict: safe
;@ engines: portfolio
declare i32 @__VERIFIER_nondet_int()
declare void @reach_error()

define i32 @main() {
entry:
  br label %loop
loop:
  %a = phi <2 x i32> [ <i32 1, i32 2>, %entry ], [ %b, %loop ]
  %b = phi <2 x i32> [ <i32 3, i32 4>, %entry ], [ %a, %loop ]
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %j = add i32 %i, 1
  %more = icmp ult i32 %j, 4
  br i1 %more, label %loop, label %done
done:
  %x = extractelement <2 x i32> %a, i32 0
  %y = extractelement <2 x i32> %b, i32 1
  %s = add i32 %x, %y
  %c = icmp eq i32 %s, 5
  br i1 %c, label %ok, label %bad
bad:
  call void @reach_error()
  unreachable
ok:
  ret i32 0
}
