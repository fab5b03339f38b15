//@ verdict: safe
//@ engines: portfolio
// What is not computed keeps its bounds.
#include <math.h>
extern void abort(void);
void reach_error(void) { abort(); }
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

extern double __VERIFIER_nondet_double(void);

int main(void) {
  CHECK(hypot(3, 4) == 5);
  double d = __VERIFIER_nondet_double();
  if (!(d > -1000 && d < 1000)) return 0;
  CHECK(sin(d) <= 1 && exp(d) >= 0 && atan(d) < 2);
  return 0;
}
