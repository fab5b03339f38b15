//@ verdict: unsafe
//@ engines: portfolio
// realloc keeps what was there, also where memory safety is not checked.
#include <stdlib.h>
extern void reach_error(void);

int main(void) {
  int *p = malloc(2 * sizeof(int));
  p[0] = 1;
  p[1] = 2;
  p = realloc(p, 4 * sizeof(int));
  if (!p) return 0;
  if (p[1] != 3) reach_error(); //~ violated
  return 0;
}
