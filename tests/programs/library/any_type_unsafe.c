//@ verdict: unsafe
//@ engines: portfolio
// tgmath.h: the type of the arguments chooses the function.
#include <tgmath.h>
extern void reach_error(void);

int main(void) {
  float f = 2.25f;
  long double l = 2.25L;
  if (sizeof(sqrt(f)) != sizeof(float) || sizeof(sqrt(l)) != sizeof(long double)) reach_error();
  if (sizeof(floor(3)) != sizeof(double) || fmax(f, 3) != 3) reach_error();
  if (sqrt(f) == 1.5f) reach_error(); //~ violated
  return 0;
}
