//@ verdict: unknown FIXME assembly is not modelled
//@ engines: portfolio
// A function that assembly outside of functions defines returns what it returns, not anything.
extern void reach_error(void);
__asm__(".text\n.globl five\nfive: movl $5, %eax\nret\n");
int five(void);
int main(void) {
  if (five() != 5) reach_error();
  return 0;
}
