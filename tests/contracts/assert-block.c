// f: safe
int f(unsigned char c) {
  int d = c - '0';
  if (d < 0 || d > 9) return -1;
  /*@ assert 0 <= d <= 9; */
  return d;
}
