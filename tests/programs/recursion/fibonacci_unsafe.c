//@ verdict: unsafe
//@ engines: whale, trace, portfolio
// Fibonacci numbers are at least their index less one.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

static int fibonacci(int n) {
  if (n < 1) {
    return 0;
  }
  if (n == 1) {
    return 1;
  }
  return fibonacci(n - 1) + fibonacci(n - 2);
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n > 40) {
    return 0;
  }
  int r = fibonacci(n);
  if (!(r >= n)) {
    reach_error(); //~ violated
  }
  return 0;
}
