//@ verdict: safe
//@ engines: impact
//@ property: valid-memsafety
//@ no-aids: unknown impact
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 1000) return 0;
  int *a = __builtin_alloca(n * sizeof(int));
  for (int *p = a; p < a + n; p++) *p = 0;
  return 0;
}
