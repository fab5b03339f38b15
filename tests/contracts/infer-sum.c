// last: safe, requires from + n <= elements of a
unsigned last(const unsigned *a, unsigned from, unsigned n) {
  if (n == 0 || from + n < n) return 0;
  return a[from + n - 1];
}
