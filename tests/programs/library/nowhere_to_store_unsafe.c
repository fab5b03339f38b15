//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-deref
// Null is an argument like any other, not a way to say that nothing is stored.
#include <stdio.h>

int main(void) {
  int count = 0, number = 0;
  count = sscanf("1 22", "%d %d", (int *)0, &number); //~ violated
  return count == 1 && number == 22 ? 0 : 1;
}
