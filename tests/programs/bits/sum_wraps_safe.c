//@ verdict: safe
//@ engines: all except whale, trace: they do not look for relations modulo words
//@ no-aids: unknown impact split whale predabs trace
// The sum of the first numbers, also where it wraps around: a polynomial modulo 2^32.
extern void abort(void);
void reach_error(void) { abort(); }
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), s = 0;
  for (unsigned i = 0; i < n; i++)
    s += i;
  if (2 * s != n * (n - 1))
    reach_error();
  return 0;
}
