//@ verdict: safe
//@ engines: portfolio
// An integer that is equal to an address is that address.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
static int x;
int main(void) {
  unsigned long a = __VERIFIER_nondet_ulong();
  if (a == (unsigned long)&x) {
    *(int *)a = 5;
    if (x != 5) reach_error();
  }
  return 0;
}
