//@ verdict: safe
//@ engines: whale, trace, portfolio
// Multiplication by recursion: the product is no smaller than a factor.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

static int multiply(int m, int n) {
  if (n <= 0) {
    return 0;
  }
  return m + multiply(m, n - 1);
}

int main(void) {
  int m = __VERIFIER_nondet_int();
  int n = __VERIFIER_nondet_int();
  if (m < 1 || m > 1000 || n < 1 || n > 1000) {
    return 0;
  }
  int r = multiply(m, n);
  if (!(r >= m)) {
    reach_error();
  }
  return 0;
}
