//@ verdict: safe
//@ engines: impact
//@ property: unreach-call
#include <string.h>
extern void abort(void);
void reach_error(void) { abort(); }
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  int a[4] = {1, 2, 3, 4};
  unsigned n = __VERIFIER_nondet_uint();
  if (n > 3) n = 3;
  memmove(a + 1, a, n * sizeof(int));
  if (n == 3 && a[3] != 3) reach_error();
  return 0;
}
