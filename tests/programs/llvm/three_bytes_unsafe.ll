;@ verdict: unsafe
;@ engines: portfolio
declare i32 @__VERIFIER_nondet_int()
declare void @reach_error()

%S = type <{ [3 x i8], i8 }>
declare ptr @malloc(i64)
define i32 @main() {
  %s = call ptr @malloc(i64 4)
  %none = icmp eq ptr %s, null
  br i1 %none, label %ok, label %go
go:
  %b = getelementptr inbounds %S, ptr %s, i32 0, i32 1
  store i8 77, ptr %b, align 1
  store i24 -2, ptr %s, align 1
  %n = load i8, ptr %b, align 1
  %a = load i24, ptr %s, align 1
  %same = icmp eq i8 %n, 78
  %low = icmp eq i24 %a, 16777214
  %both = and i1 %same, %low
  br i1 %both, label %ok, label %bad
bad:
  call void @reach_error()
  unreachable
ok:
  ret i32 0
}
