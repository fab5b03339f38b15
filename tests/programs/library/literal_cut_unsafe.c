//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-deref
// strtok writes into the text that it is given.
#include <string.h>

int main(void) {
  char *s = "a,b";
  strtok(s, ","); //~ violated
  return 0;
}
