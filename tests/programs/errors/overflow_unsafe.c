//@ verdict: unsafe
//@ engines: all
//@ property: no-overflow
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a = __VERIFIER_nondet_int();
  int b = a + 1; //~ violated
  return b;
}
