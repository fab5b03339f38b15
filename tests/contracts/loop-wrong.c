// count: unsafe
/*@ requires n >= 0; */
int count(int n) {
  int i = 0;
  /*@ loop invariant 0 <= i < n; */
  while (i < n) i++;
  return i;
}
