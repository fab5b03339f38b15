//@ verdict: safe
//@ engines: portfolio
//@ property: valid-deref
// How long a number is follows from comparisons, whatever its digits are.
#include <stdio.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  char b[3];
  sprintf(b, "%x", __VERIFIER_nondet_uchar());
  return 0;
}
