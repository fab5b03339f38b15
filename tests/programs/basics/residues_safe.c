//@ verdict: safe
//@ engines: all except whale: its candidates are not taken apart by cases
//@ no-aids: unknown impact split whale predabs trace
// Every third lap is counted apart: a relation between the counters in each residue class.
extern void abort(void);
void reach_error(void) { abort(); }
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned int i = 0, x = 0, y = 0, n = __VERIFIER_nondet_uint();
  while (i < n) {
    if (i % 3 == 0)
      x++;
    else
      y++;
    i++;
  }
  if (y > 2 * x) reach_error();
  return 0;
}
