// count: unsafe
int count(unsigned char n, unsigned char m) {
  while (n > 0)
    __CPROVER_decreases(n, m)
  {
    if (m > 0) m--; else { n--; m = 3; n++; }
  }
  return n;
}
