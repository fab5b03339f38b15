//@ verdict: unknown FIXME an address keeps its bits in a union with a pointer
//@ engines: portfolio
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);
union U { void *p; uintptr_t number; };
int main(void) {
  union U u;
  u.p = malloc(10);
  if (u.number == 0) return 0;
  if (u.number % 64 == 0) reach_error();
  if (*(uintptr_t *)&u.p % 64 != 0) reach_error();
  return 0;
}
