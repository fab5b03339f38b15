//@ verdict: unsafe
//@ engines: all
//@ no-aids: unknown predabs
// A product by repeated addition, but for four summands.
extern void abort(void);
void reach_error(void) { abort(); }
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint(), p = 0;
  for (unsigned i = 0; i < b; i++)
    p += a;
  if (p != a * b + (b == 4))
    reach_error(); //~ violated
  return 0;
}
