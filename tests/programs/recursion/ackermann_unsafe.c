//@ verdict: unsafe
//@ engines: whale, trace, portfolio
// Ackermann's function grows.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

static int ackermann(int m, int n) {
  if (m == 0) {
    return n + 1;
  }
  if (n == 0) {
    return ackermann(m - 1, 1);
  }
  return ackermann(m - 1, ackermann(m, n - 1));
}

int main(void) {
  int m = __VERIFIER_nondet_int();
  int n = __VERIFIER_nondet_int();
  if (m < 0 || m > 3 || n < 0 || n > 23) {
    return 0;
  }
  int r = ackermann(m, n);
  if (!(r > n + 1)) {
    reach_error(); //~ violated
  }
  return 0;
}
