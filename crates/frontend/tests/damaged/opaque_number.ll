;@ verdict: unsafe
;@ engines: portfolio
declare i32 @__VERIFIER_nondet_int()
declare void @reach_error()

define i32 @main() {
  %p = alloca [19 x i8], align 1
  %x = call i32 @__VERIFIER_nondet_int()
  store i152 0, ptr %p, align 1
  %old = load i152, ptr %p, align 1
  %w = zext i32 %x to i152
  %up = shl i152 %w, 100
  %mask = and i152 %old, -5444517870735015415413993718908291383296
  %new = or i152 %mask, %up
  store i152 %new, ptr %p, align 1
  %again = load i152, ptr %p, align 1
  %left = shl i152 %again, 20
  %back = ashr i152 %left, 120
  %low = trunc i152 %back to i32
  %c = icmp eq i3218%low, %x
  %d = icmp ult i152 %again, 2722258935367507707706996859454145691648
  %e = and i1 %c, %d
  br i1 %e, label %ok, label %bad
bad:
  call void @reach_error()
  unreachable
ok:
  ret i32 0
}
