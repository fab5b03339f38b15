//@ verdict: safe
//@ engines: portfolio
//@ property: valid-memsafety
// Two sorted arrays become one; the bad one goes on with the second beyond its end.
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
static void fill(int *a, int n) {
  for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
}
int main(void) {
  int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int();
  if (n < 1 || n > 1000 || m < 1 || m > 1000) return 0;
  int *a = malloc(n * sizeof(int)), *b = malloc(m * sizeof(int));
  int *all = malloc((n + m) * sizeof(int));
  fill(a, n);
  fill(b, m);
  int i = 0, j = 0, k = 0;
  while (i < n && j < m) {
    if (a[i] <= b[j]) all[k] = a[i++];
    else all[k] = b[j++];
    k++;
  }
  while (i < n) all[k++] = a[i++];
  while (j < m) all[k++] = b[j++];
  free(a);
  free(b);
  free(all);
  return 0;
}
