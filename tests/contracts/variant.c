// half: safe
/*@ requires n >= 0; */
int half(int n) {
  int i = 0;
  /*@ loop invariant 0 <= i;
      loop variant n - i; */
  while (i < n) i += 2;
  return i;
}
