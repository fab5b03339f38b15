//@ verdict: safe
//@ engines: whale, trace, portfolio
// Addition by recursion.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

static int addition(int m, int n) {
  if (n == 0) {
    return m;
  }
  return addition(m + 1, n - 1);
}

int main(void) {
  int m = __VERIFIER_nondet_int();
  int n = __VERIFIER_nondet_int();
  if (m < 0 || m > 1000000 || n < 0 || n > 1000000) {
    return 0;
  }
  int r = addition(m, n);
  if (!(r == m + n)) {
    reach_error();
  }
  return 0;
}
