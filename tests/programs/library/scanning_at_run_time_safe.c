//@ verdict: safe
//@ engines: portfolio
//@ property: valid-deref
// A format of scanf that is known only at run time.
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
  char b[4];
  int n = 0;
  const char *format = __VERIFIER_nondet_int() ? "%3s" : "%3[a-f] %d";
  return sscanf("abcdef 5", format, b, &n) == 7;
}
