//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-deref
// An array of negative length has no elements.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n != -1)
    return 0;
  char a[n];
  a[0] = 1; //~ violated
  return 0;
}
