//@ verdict: safe
//@ engines: portfolio
//@ property: valid-memtrack
// Nothing points to the memory when the program ends.
#include <stdlib.h>

int main(void) {
  int *p = malloc(sizeof(int));
  free(p);
  exit(0);
}
