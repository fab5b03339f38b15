//@ verdict: safe
//@ engines: portfolio
//@ property: valid-memtrack
// The memory that asprintf gives belongs to the program alone.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  char *p = 0;
  if (asprintf(&p, "%d", 5) < 0) return 0;
  free(p);
  return 0;
}
