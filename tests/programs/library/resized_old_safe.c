//@ verdict: safe
//@ engines: portfolio
//@ property: valid-memsafety
// After realloc the old memory is gone.
#include <stdlib.h>

int main(void) {
  char *p = malloc(4), *q;
  if (!p) return 0;
  q = realloc(p, 8);
  if (!q) { free(p); return 0; }
  q[0] = 1;
  free(q);
  return 0;
}
