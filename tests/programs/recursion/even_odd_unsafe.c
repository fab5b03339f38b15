//@ verdict: unsafe
//@ engines: whale, trace, portfolio
// Mutual recursion: parity.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

static int is_odd(int n);
static int is_even(int n) {
  if (n == 0) {
    return 1;
  }
  return is_odd(n - 1);
}
static int is_odd(int n) {
  if (n == 0) {
    return 0;
  }
  return is_even(n - 1);
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0) {
    return 0;
  }
  int even = is_even(n);
  int m = n % 2;
  if (!(even == 1 || n < 5)) {
    reach_error(); //~ violated
  }
  return 0;
}
