//@ verdict: safe
//@ engines: portfolio
//@ property: valid-memsafety
// A search in a sorted array; the bad one looks behind its end.
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 5000) return 0;
  int *a = malloc(n * sizeof(int));
  for (int i = 0; i < n; i++) a[i] = i;
  int x = __VERIFIER_nondet_int(), low = 0, high = n - 1, found = -1;
  while (low <= high) {
    int middle = low + (high - low) / 2;
    if (a[middle] == x) { found = middle; break; }
    if (a[middle] < x) low = middle + 1;
    else high = middle - 1;
  }
  free(a);
  return found;
}
