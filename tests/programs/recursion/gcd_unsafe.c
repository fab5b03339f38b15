//@ verdict: unsafe
//@ engines: whale, trace, portfolio
// A common divisor is positive and at most the smaller number.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

static int gcd(int a, int b) {
  if (a == b) {
    return a;
  }
  if (a > b) {
    return gcd(a - b, b);
  }
  return gcd(a, b - a);
}

int main(void) {
  int a = __VERIFIER_nondet_int();
  int b = __VERIFIER_nondet_int();
  if (a <= 0 || b <= 0) {
    return 0;
  }
  int r = gcd(a, b);
  if (!(r >= 1 && r < a)) {
    reach_error(); //~ violated
  }
  return 0;
}
