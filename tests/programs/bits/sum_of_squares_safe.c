//@ verdict: safe
//@ engines: portfolio
// 6 * (1 + 4 + 9 + ...) as a polynomial in the number of summands.
extern void abort(void);
void reach_error(void) { abort(); }
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 500)
    return 0;
  int i = 0;
  long s = 0;
  while (i < n) {
    i++;
    s += (long)i * i;
  }
  if (6 * s != (long)n * (n + 1) * (2 * n + 1))
    reach_error();
  return 0;
}
