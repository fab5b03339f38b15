// make: unsafe
void *get(unsigned long n);
char *make(unsigned char n) {
  char *p = get(n);
  if (p) p[n] = 0;
  return p;
}
