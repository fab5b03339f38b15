//@ verdict: unsafe
//@ engines: portfolio
//@ property: memsafety
// argz.h: the vector grows and shrinks; its memory is the caller's.
#define _GNU_SOURCE
#include <argz.h>
#include <stdlib.h>

int main(void) {
  char *v = 0;
  size_t n = 0;
  if (argz_create_sep("ab:c", ':', &v, &n) != 0) return 1;
  argz_delete(&v, &n, v);
  if (n != 2 || v[0] != 'c') return 1;
  free(v);
  return v[0]; //~ violated
}
