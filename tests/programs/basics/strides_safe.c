//@ verdict: safe
//@ engines: all except whale, trace: their candidates are not taken apart by cases
//@ no-aids: unknown impact split whale predabs trace
// The step is one of a few numbers; for each the counter is a multiple of it.
extern void abort(void);
void reach_error(void) { abort(); }
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned int i, k = __VERIFIER_nondet_uint();
  if (k < 2 || k > 5) return 0;
  for (i = 0; i < 30000 * k; i += k) {
  }
  if (i != 30000 * k) reach_error();
  return 0;
}
