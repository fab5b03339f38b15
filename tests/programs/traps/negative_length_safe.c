//@ verdict: safe
//@ engines: portfolio
//@ property: valid-deref
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 3)
    return 0;
  char a[n];
  a[0] = 1;
  return 0;
}
