//@ verdict: safe
//@ engines: portfolio
//@ property: valid-deref
// Memory that is compared with null before it is used.
#include <stdlib.h>

int main(void) {
  int *p = malloc(sizeof *p);
  if (p != NULL) *p = 5;
  if (p != NULL) *p = 6;
  free(p);
  return 0;
}
