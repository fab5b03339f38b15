// The last of some numbers.
int last(const int *a, int n) {
  return n > 0 ? a[n - 1] : 0;
}
