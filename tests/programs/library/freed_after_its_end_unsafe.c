//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-free
#include <stdlib.h>

int main(void) {
  int *p = malloc(sizeof *p), *q = p, x;
  {
    int local = 5;
    q = &local;
    x = *q;
  }
  x = *q;
  free(q);
  return 0;
}
