// make: safe, requires get() has as many bytes as it is asked for
void *get(unsigned long n);
char *make(unsigned char n) {
  char *p = get(n + 1UL);
  if (p) p[n] = 0;
  return p;
}
