//@ verdict: safe
//@ engines: portfolio
//@ property: valid-deref
// `%*d` is read and not stored.
#include <stdio.h>

int main(void) {
  int count = 0, number = 0;
  count = sscanf("1 22", "%*d %d", &number);
  return count == 1 && number == 22 ? 0 : 1;
}
