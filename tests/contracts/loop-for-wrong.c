// twice: unsafe
/*@ requires 0 <= n <= 1000; */
int twice(int n) {
  int s = 0;
  /*@ loop invariant s == 2 * i; */
  for (int i = 0; i < n; i++) s += 3;
  return s;
}
