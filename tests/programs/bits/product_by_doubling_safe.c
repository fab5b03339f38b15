//@ verdict: safe
//@ engines: portfolio
// A product by halving one factor and doubling the other.
extern void abort(void);
void reach_error(void) { abort(); }
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  if (a < 0 || a > 10000 || b < 0 || b > 10000)
    return 0;
  long x = a, y = b, z = 0;
  while (y != 0) {
    if (y % 2 == 1) {
      z += x;
      y--;
    }
    x = 2 * x;
    y = y / 2;
  }
  if (z != (long)a * b)
    reach_error();
  return 0;
}
