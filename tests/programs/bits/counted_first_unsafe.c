//@ verdict: unsafe
// The counter is counted before it is added; its square wraps around long before the sum is needed.
extern void abort(void);
void reach_error(void) { abort(); }
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), i = 0, s = 0;
  while (i < n) {
    i++;
    s += i;
  }
  if (2 * s != n * (n + 2))
    reach_error(); //~ violated
  return 0;
}
