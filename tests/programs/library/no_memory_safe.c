//@ verdict: safe
//@ engines: portfolio
// More than there are addresses is never given.
#include <stdlib.h>
extern void reach_error(void);

int main(void) {
  char *p = malloc(16);
  char *q = calloc((size_t)1 << 33, 1);
  if (!p && !q) reach_error();
  return 0;
}
