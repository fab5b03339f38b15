//@ verdict: unknown FIXME an address keeps its bits in members, parameters and results
//@ engines: portfolio
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);
struct Pair { int tag; uintptr_t at; };
static uintptr_t same(uintptr_t x) { return x; }
int main(void) {
  struct Pair pair = {1, (uintptr_t)malloc(100)}, *p = &pair;
  uintptr_t list[2];
  list[1] = same(p->at);
  if (list[1] % 4096 == 0) reach_error();
  return 0;
}
