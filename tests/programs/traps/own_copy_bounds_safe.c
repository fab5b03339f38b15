//@ verdict: safe
//@ engines: portfolio
//@ property: valid-deref
// A loop over bytes reaches as far as its length says.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static void own_copy(void *d, const void *s, unsigned long n) {
  for (unsigned long i = 0; i < n; ++i)
    ((char *)d)[i] = ((const char *)s)[i];
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 3)
    return 0;
  char *p = malloc(4), *q = calloc(4, 1);
  if (!p || !q)
    return 0;
  own_copy(p, q, n + 1);
  return 0;
}
