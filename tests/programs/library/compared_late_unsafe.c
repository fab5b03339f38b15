//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-deref
//@ options: --malloc=may-fail
// The comparison with null comes after the use.
#include <stdlib.h>

int main(void) {
  int *p = malloc(sizeof *p);
  *p = 5;
  if (p != NULL) *p = 6;
  free(p);
  return 0;
}
