//@ verdict: safe
//@ engines: portfolio
// A loop over the bytes of untyped memory copies a record field by field.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct pair { long a; int b; };
static void *own_copy(void *d, const void *s, unsigned long n) {
  for (unsigned long i = 0; i < n; ++i)
    ((char *)d)[i] = ((const char *)s)[i];
  return d;
}
int main(void) {
  struct pair x = {1, 2}, y = {__VERIFIER_nondet_int(), 4};
  own_copy(&x, &y, sizeof x);
  if (x.a != y.a || x.b != 4)
    reach_error();
  return 0;
}
