//@ verdict: safe
//@ engines: portfolio
//@ property: valid-deref
// Memory of alloca ends with the function that asked for it.
#include <alloca.h>
static int here;
static int *get(void) {
  int *p = &here;
  *p = 1;
  return p;
}

int main(void) {
  int *p = get();
  return *p;
}
