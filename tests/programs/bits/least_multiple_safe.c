//@ verdict: safe
//@ engines: portfolio
// gcd and lcm at once: a sum of products is kept.
extern void abort(void);
void reach_error(void) { abort(); }
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  if (a < 1 || a > 1000 || b < 1 || b > 1000)
    return 0;
  long x = a, y = b, u = b, v = 0;
  while (x != y) {
    if (x > y) {
      x -= y;
      v += u;
    } else {
      y -= x;
      u += v;
    }
  }
  if (x * (u + v) != (long)a * b)
    reach_error();
  return 0;
}
