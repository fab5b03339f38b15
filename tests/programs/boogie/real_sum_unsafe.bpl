//@ verdict: unsafe
//@ engines: all
// The twin of real_sum_safe.bpl that loses something.
procedure main() {
  var a, b, c : real;
  a := 1.0;
  b := 0.0;
  c := 0.0;
  while (*) {
    a, b, c := 0.25 * a + 0.5 * c, 0.5 * b + 0.7 * a, 0.5 * b + 0.5 * c;
  }
  assert a + b + c == 1.0;
}
