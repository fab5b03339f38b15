//@ verdict: safe
//@ engines: portfolio
//@ property: valid-memsafety
// Insertion sort of a heap array; the bad one reads before its start.
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 5000) return 0;
  int *a = malloc(n * sizeof(int));
  for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
  for (int i = 1; i < n; i++) {
    int x = a[i], j = i - 1;
    while (j >= 0 && a[j] > x) {
      a[j + 1] = a[j];
      j--;
    }
    a[j + 1] = x;
  }
  free(a);
  return 0;
}
