//@ verdict: safe
//@ engines: portfolio
// Cohen's division: multiples of the divisor are doubled while they fit.
extern void abort(void);
void reach_error(void) { abort(); }
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  if (x < 0 || x > 10000 || y < 1 || y > 10000)
    return 0;
  long q = 0, r = x;
  while (r >= y) {
    long a = 1, b = y;
    while (r >= 2 * b) {
      a = 2 * a;
      b = 2 * b;
    }
    r = r - b;
    q = q + a;
  }
  if (q * y + r != x)
    reach_error();
  return 0;
}
