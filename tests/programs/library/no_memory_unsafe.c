//@ verdict: unsafe
//@ engines: portfolio
// More than there are addresses is never given.
#include <stdlib.h>
extern void reach_error(void);

int main(void) {
  char *p = malloc((size_t)-1);
  char *q = calloc((size_t)1 << 33, (size_t)1 << 33);
  if (!p && !q) reach_error(); //~ violated
  return 0;
}
