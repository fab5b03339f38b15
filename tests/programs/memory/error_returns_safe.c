//@ verdict: safe
//@ engines: portfolio
//@ property: valid-memsafety
// Where nobody asks whether it is called, an error function with a body is a function.
#include <stdlib.h>
void reach_error(void) {}

int main(void) {
  int *p = malloc(sizeof(int));
  *p = 1;
  reach_error();
  free(p);
  p = 0;
  return 0;
}
