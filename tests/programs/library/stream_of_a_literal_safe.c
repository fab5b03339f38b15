//@ verdict: safe
//@ engines: all
//@ property: valid-deref
// A stream that only reads may be one of a literal.
#include <stdio.h>
int main(void) {
  FILE *f = fmemopen((char *)"12 34x", 6, "r");
  if (f)
    fclose(f);
  return 0;
}
