//@ verdict: unsafe
//@ engines: portfolio
// A cube by its differences: each is a polynomial, of one degree less than the one before.
extern void abort(void);
void reach_error(void) { abort(); }
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int a = __VERIFIER_nondet_int();
  if (a < 0 || a > 500)
    return 0;
  long n = 0, x = 0, y = 1, z = 6;
  while (n < a) {
    n++;
    x += y;
    y += z;
    z += 5;
  }
  if (x != (long)a * a * a)
    reach_error();
  return 0;
}
