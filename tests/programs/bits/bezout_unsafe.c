//@ verdict: unsafe
// Euclid with the factors of Bezout: both numbers are sums of multiples of the first two.
extern void abort(void);
void reach_error(void) { abort(); }
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  if (x < 1 || x > 1000 || y < 1 || y > 1000)
    return 0;
  long a = x, b = y, p = 1, q = 0, r = 0, s = 1;
  while (a != b) {
    if (a > b) {
      a -= b;
      p -= q;
      r -= s;
    } else {
      b -= a;
      q -= r;
      s -= r;
    }
  }
  if (a != p * x + r * y)
    reach_error();
  return 0;
}
