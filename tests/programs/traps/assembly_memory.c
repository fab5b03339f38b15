//@ verdict: unknown FIXME inline assembly is not modelled
//@ engines: portfolio
// Assembly that clobbers memory may change what its inputs point to.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int x;
int main(void) {
  int *p = &x;
  __asm__ volatile("movl $5, (%0)" : : "r"(p) : "memory");
  if (x == 5) reach_error();
  return 0;
}
