//@ verdict: unsafe
//@ engines: whale, trace, portfolio
// The sum of the numbers up to n is at least n.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

static int sum(int n) {
  if (n <= 0) {
    return 0;
  }
  return n + sum(n - 1);
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n > 10000) {
    return 0;
  }
  int r = sum(n);
  if (!(r >= n && r != 10)) {
    reach_error(); //~ violated
  }
  return 0;
}
