//@ verdict: unknown FIXME inline assembly is not modelled, so its value decides nothing
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
extern void __VERIFIER_assume(int);
int main(void) {
  int x;
  __asm__("" : "=r"(x));
  __VERIFIER_assume(x >= 0 && x <= 1);
  reach_error();
  return 0;
}
