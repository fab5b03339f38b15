//@ verdict: safe
//@ engines: all except whale, trace: they do not look for relations modulo words
//@ no-aids: unknown impact split whale predabs trace
// A product by repeated addition, modulo 2^32.
extern void abort(void);
void reach_error(void) { abort(); }
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint(), p = 0;
  for (unsigned i = 0; i < b; i++)
    p += a;
  if (p != a * b)
    reach_error();
  return 0;
}
