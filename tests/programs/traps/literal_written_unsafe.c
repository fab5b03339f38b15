//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-deref
// A string literal must not be written, an array with the same text may.
#include <string.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
  char own[] = "a,b";
  char *s = __VERIFIER_nondet_int() ? own : "a,b";
  s[1] = 0; //~ violated
  return 0;
}
