//@ verdict: safe
//@ engines: portfolio
#include <math.h>
#include <stdlib.h>
extern void abort(void);
void reach_error(void) { abort(); }
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

int main(void) {
  char *end;
  CHECK(floor(-1.5) == -2.0 && ceil(1.25) == 2.0 && round(2.5) == 3.0 && rint(2.5) == 2.0);
  CHECK(sqrt(2.25) == 1.5 && fmod(7.5, 2.0) == 1.5 && copysign(1.0, -0.0) == -1.0);
  CHECK(isnan(NAN) && isinf(INFINITY) && !isfinite(INFINITY) && signbit(-0.0));
  CHECK(strtod("1.25e2x", &end) == 125.0 && *end == 'x');
  CHECK(atof("0.1") == 0.1);
  return 0;
}
