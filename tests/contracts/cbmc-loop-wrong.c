// count: unsafe
int count(unsigned char n) {
  int i = 0;
  while (i < n)
    __CPROVER_loop_invariant(i < 200)
  {
    i++;
  }
  return i;
}
