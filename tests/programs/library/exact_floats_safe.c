//@ verdict: safe
//@ engines: portfolio
// Powers of whole numbers, parts and remainders of floats are exact.
#include <math.h>
extern void reach_error(void);

int main(void) {
  int e;
  double m = frexp(8.0, &e);
  if (m != 0.5 || e != 4 || ldexp(m, e) != 8.0) reach_error();
  if (pow(2, 10) != 1024 || remainder(7, 4) != -1) reach_error();
  return 0;
}
