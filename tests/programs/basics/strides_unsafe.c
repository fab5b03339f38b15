//@ verdict: unsafe
//@ engines: all
//@ no-aids: unknown impact split whale predabs trace
// The twin of strides_safe.c that begins elsewhere.
extern void abort(void);
void reach_error(void) { abort(); }
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned int i, k = __VERIFIER_nondet_uint();
  if (k < 2 || k > 5) return 0;
  for (i = 1; i < 30000 * k; i += k) {
  }
  if (i != 30000 * k) reach_error();
  return 0;
}
