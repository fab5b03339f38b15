//@ verdict: safe
//@ engines: all
//@ no-aids: unknown impact split whale predabs trace
// The shares change and their sum does not: an affine relation of reals.
procedure main() {
  var a, b, c : real;
  a := 1.0;
  b := 0.0;
  c := 0.0;
  while (*) {
    a, b, c := 0.25 * a + 0.5 * c, 0.5 * b + 0.75 * a, 0.5 * b + 0.5 * c;
  }
  assert a + b + c == 1.0;
}
