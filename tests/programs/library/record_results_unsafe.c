//@ verdict: unsafe
//@ engines: portfolio
#include <stdlib.h>
extern void abort(void);
void reach_error(void) { abort(); }
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

int main(void) {
  div_t d = div(-17, 5);
  ldiv_t l = ldiv(17L, 5L);
  CHECK(d.quot == -3 && d.rem == 3);
  CHECK(l.quot == 3 && l.rem == 2);
  return 0;
}
