//@ verdict: unsafe
//@ engines: all
//@ no-aids: unknown predabs
// The sum of the first numbers modulo 2^32; five of them are counted one short.
extern void abort(void);
void reach_error(void) { abort(); }
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), s = 0;
  for (unsigned i = 0; i < n; i++)
    s += i;
  if (2 * s != n * (n - 1) + (n == 5))
    reach_error(); //~ violated
  return 0;
}
