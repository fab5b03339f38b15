//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-memtrack
// Static pointers hold memory, each its own.
#include <stdlib.h>
static char *a, *b;

int main(void) {
  a = malloc(1);
  b = malloc(2);
  a += 1;
  b = a;
  return 0;
} //~ violated
