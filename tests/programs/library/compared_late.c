//@ verdict: unknown FIXME who compares memory with null says that it may be null; by default it is not
//@ engines: portfolio
//@ property: valid-deref
// The comparison with null comes after the use.
#include <stdlib.h>

int main(void) {
  int *p = malloc(sizeof *p);
  *p = 5;
  if (p != NULL) *p = 6;
  free(p);
  return 0;
}
