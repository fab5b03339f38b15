//@ verdict: unknown FIXME an allocation promises multiples of 64, and no more
//@ engines: portfolio
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
  void *p = 0;
  if (posix_memalign(&p, 64, 100)) return 0;
  if ((uintptr_t)p % 128) reach_error();
  return 0;
}
