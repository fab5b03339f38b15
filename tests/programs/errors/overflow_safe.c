//@ verdict: safe
//@ engines: all
//@ property: no-overflow
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a = __VERIFIER_nondet_int();
  if (a < 2147483647) {
    int b = a + 1;
    return b;
  }
  return 0;
}
