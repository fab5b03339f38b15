//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-memsafety
// A stream that was closed is no stream.
#include <stdio.h>

int main(void) {
  FILE *f = fopen("a", "r"), *g = fopen("b", "r");
  int c = 0;
  if (f) {
    c = fgetc(f);
    fclose(f);
  }
  if (g) {
    c = f ? fgetc(f) : 0; //~ violated
    fclose(g);
  }
  return c == 7;
}
