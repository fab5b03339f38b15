//@ verdict: safe
//@ engines: all except whale, trace, impact, split, predabs: they do not get to relations modulo words in time
//@ no-aids: unknown kind bmc
// The sum of the first odd numbers is a square, also modulo 2^32.
extern void abort(void);
void reach_error(void) { abort(); }
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), s = 0, d = 1;
  for (unsigned i = 0; i != n; i++) {
    s += d;
    d += 2;
  }
  if (s != n * n)
    reach_error();
  return 0;
}
