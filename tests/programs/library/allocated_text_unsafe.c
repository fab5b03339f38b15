//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-deref
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int asprintf(char **p, const char *format, ...);
int main(void) {
  char *p;
  if (asprintf(&p, "%s-%d", "abc", 17) == 6) {
    p[7] = 0;
    free(p);
  }
  return 0;
}
