// make: safe, requires 2 <= elements of get()
int *get(void);
int *make(int n) {
  int *p = get();
  if (p) p[1] = n;
  return p;
}
