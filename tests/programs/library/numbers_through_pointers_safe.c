//@ verdict: safe
//@ engines: portfolio
// Functions of numbers called through pointers.
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int (*f)(int) = abs;
  int x = __VERIFIER_nondet_int();
  if (x < -1000) return 0;
  if (f(x) < 0) reach_error();
  return 0;
}
