// down: unsafe
int down(unsigned char n) {
  int sum = 0;
  //@ loop variant i - 1;
  for (int i = n; i >= 0; i--) {
    if (i == 7) continue;
    sum++;
  }
  return sum;
}
