//@ verdict: unsafe
//@ property: no-overflow
//@ engines: whale, portfolio
// What one argument loses the other gains: their sum stays in the range of int.
extern int __VERIFIER_nondet_int(void);

int add(int m, int n) {
  if (n == 0) return m;
  return add(m + 1, n - 1); //~ violated
}

int main(void) {
  int m = __VERIFIER_nondet_int();
  int n = __VERIFIER_nondet_int();
  if (m < 0 || m > 2147483640 || n < 0 || n > 1073741823) return 0;
  return add(m, n) < 0;
}
