// length: safe, requires s != NULL, requires s ends with a zero
unsigned long length(const unsigned char *s) {
  unsigned long n = 0;
  while (s[n]) n++;
  return n;
}
