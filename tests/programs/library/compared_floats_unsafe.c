//@ verdict: unsafe
//@ engines: portfolio
// Comparisons that take an integer beside a float convert it.
#include <math.h>
extern void abort(void);
void reach_error(void) { abort(); }
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

extern double __VERIFIER_nondet_double(void);

int main(void) {
  double d = __VERIFIER_nondet_double();
  CHECK(isless(d, 1) + isgreaterequal(d, 1) <= 1);
  CHECK(isless(d, 1) || isgreaterequal(d, 1));
  return 0;
}
