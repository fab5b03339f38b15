//@ verdict: safe
//@ engines: all
extern void __VERIFIER_assert(int);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int main(void) {
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n >= 0 && n <= 10000);
  int i = 0;
  while (i < n) {
    i = i + 1;
  }
  __VERIFIER_assert(i == n);
  return 0;
}
