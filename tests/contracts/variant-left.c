// find: safe
/*@ requires n >= 0; */
int find(int n) {
  /*@ loop variant n - 5; */
  while (n > 4) { if (n == 5) break; n--; }
  return n;
}
