// twice: safe
/*@ requires 0 <= n <= 1000;
    ensures \result == 2 * n; */
int twice(int n) {
  int s = 0;
  /*@ loop invariant s == 2 * i && 0 <= i <= n; */
  for (int i = 0; i < n; i++) s += 2;
  return s;
}
