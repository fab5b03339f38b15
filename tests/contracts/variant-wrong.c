// half: unsafe
/*@ requires n >= 0; */
int half(int n) {
  int i = 0;
  /*@ loop invariant 0 <= i;
      loop variant n - i; */
  while (i < n) i += n > 7 ? 0 : 2;
  return i;
}
