//@ verdict: unsafe
//@ property: no-overflow
//@ engines: portfolio, impact
//@ no-aids: unknown portfolio impact
// The error is too far away to be followed step by step; what `x` held before it was set does not matter.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x, y;
  x = __VERIFIER_nondet_int();
  y = __VERIFIER_nondet_int();
  if (y >= 5) {
    while (x >= 0) {
      y = y - 1000; //~ violated
    }
  }
  return 0;
}
