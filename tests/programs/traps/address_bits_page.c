//@ verdict: unknown FIXME the page of an object and half of its address are not known
//@ engines: portfolio
#include <stdint.h>
extern void reach_error(void);
static int x;
int main(void) {
  uintptr_t page = (uintptr_t)&x >> 12;
  if (page < 100 && (unsigned)(uintptr_t)&x != 0) reach_error();
  if ((unsigned)(uintptr_t)&x == 0) reach_error();
  return 0;
}
