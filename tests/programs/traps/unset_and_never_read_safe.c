//@ verdict: safe
//@ property: no-overflow
//@ engines: portfolio, impact
// As its twin, but it stops in time.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x, y;
  x = __VERIFIER_nondet_int();
  y = __VERIFIER_nondet_int();
  if (y >= 5) {
    while (x >= 0 && y > 0) {
      y = y - 1000;
    }
  }
  return 0;
}
