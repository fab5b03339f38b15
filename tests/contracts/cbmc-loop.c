// count: safe
int count(unsigned char n) {
  int i = 0;
  while (i < n)
    __CPROVER_loop_invariant(0 <= i && i <= n)
    __CPROVER_decreases(n - i)
  {
    i++;
  }
  __CPROVER_assert(i == n, "counted");
  return i;
}
