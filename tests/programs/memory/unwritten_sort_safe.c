//@ verdict: safe
//@ engines: portfolio
// The twin of unwritten_sort_unsafe.c that sorts all of a few cells.
extern void abort(void);
void reach_error(void) { abort(); }
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned int n = __VERIFIER_nondet_uint();
  int i, j, key;
  if (n > 2) return 0;
  int v[n];
  for (j = 1; j < n; j++) {
    key = v[j];
    for (i = j - 1; i >= 0 && v[i] > key; i--) {
      if (i < 1000) v[i + 1] = v[i];
    }
    v[i + 1] = key;
  }
  for (j = 1; j < n; j++) {
    if (v[j - 1] > v[j]) reach_error();
  }
  return 0;
}
