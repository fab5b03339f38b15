//@ verdict: safe
//@ engines: all except trace, whale: they do not guess congruences
//@ no-aids: unknown impact split whale predabs trace kind
// Words wrap at a multiple of four, so sums of multiples of four stay such: no equality between x and y survives.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  unsigned x = 0, y = 4;
  while (__VERIFIER_nondet_int()) {
    x = x + y;
    y = y + 8;
    if (x == 42) reach_error();
  }
  return 0;
}
