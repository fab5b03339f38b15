//@ verdict: safe
//@ engines: portfolio
//@ property: valid-deref
// How long a number is follows from comparisons, whatever its digits are.
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
  char b[12];
  sprintf(b, "%d", __VERIFIER_nondet_int());
  return 0;
}
