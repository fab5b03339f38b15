//@ verdict: safe
//@ engines: portfolio
//@ property: valid-memsafety
// A walk in steps of four ends at the cell that it looks for, the last; the bad one looks for something else.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 1000000) n = 1;
  int *s = __builtin_alloca(n * sizeof(int));
  for (int i = 0; i < n; i++) {
    s[i] = __VERIFIER_nondet_int();
    if (s[i] > 1000) s[i] = 0;
  }
  int *p = s;
  while (*p != s[n - 1]) p++;
  return 0;
}
