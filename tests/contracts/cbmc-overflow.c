// add: safe
int add(int a, int b) {
  if (__CPROVER_overflow_plus(a, b)) return 0;
  long s = (long)a + b;
  __CPROVER_assert(s == (int)s, "fits");
  return (int)s;
}
