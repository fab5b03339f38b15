//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-memtrack
// Nothing points to the memory when the program ends.
#include <stdlib.h>

int main(void) {
  int *p = malloc(sizeof(int));
  p = 0;
  exit(0); //~ violated
}
