//@ verdict: unsafe
//@ engines: portfolio
// A loop over the bytes of untyped memory clears a record field by field.
extern void reach_error(void);
struct pair { long a; int b; unsigned char c; };
static void *own_set(void *s, int c, unsigned long n) {
  unsigned char *p = (unsigned char *)s;
  for (unsigned long i = 0; i < n; i++)
    p[i] = c & 255;
  return s;
}
int main(void) {
  struct pair x = {1, 2, 3};
  own_set(&x, 257, sizeof(x.a) + sizeof(x.b));
  if (x.a != 0 || x.b != 0 || x.c != 3)
    reach_error(); //~ violated
  return 0;
}
