//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-deref
// A block of any size a machine has addresses for, more than a terabyte too; the bad one writes behind it.
extern void *malloc(unsigned long);
extern unsigned long __VERIFIER_nondet_ulong(void);
int main(void) {
  unsigned long n = __VERIFIER_nondet_ulong();
  if (n < 1UL << 41) return 0;
  char *p = malloc(n);
  if (!p) return 0;
  p[n] = 1; //~ violated
  return 0;
}
