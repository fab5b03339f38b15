// count: safe
/*@ requires n >= 0;
    ensures \result == n; */
int count(int n) {
  int i = 0;
  /*@ loop invariant 0 <= i <= n;
      loop assigns i;
      loop variant n - i; */
  while (i < n) i++;
  return i;
}
