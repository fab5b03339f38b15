// pairs: safe
void pairs(unsigned char n) {
  int i = 0;
  //@ loop variant n - i;
  while (i < n) {
    int j = 0;
    //@ loop variant i - j;
    while (j < i) j++;
    i++;
  }
}
