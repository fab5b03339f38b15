// last: unsafe
unsigned last(const unsigned *a, unsigned from, unsigned n) {
  if (n == 0 || from + n < n) return 0;
  unsigned b[4] = {0};
  return b[from % 4 + n % 2];
}
