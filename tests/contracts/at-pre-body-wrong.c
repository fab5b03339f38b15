// count: unsafe
/*@ requires 0 <= n <= 1000;
    ensures \result == n; */
int count(int n) {
  int done = 0;
  /*@ loop invariant done + n == \at(n, Pre) && 0 <= n;
      loop variant n; */
  while (n > 0) { n--; done++; }
  //@ assert done <  \at(n, Pre);
  return done;
}
