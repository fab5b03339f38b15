// count: unsafe
int count(unsigned char *s) {
  int n = 0;
  while (s && s[-1 - n] != 7) n++;
  return n;
}
