//@ verdict: unknown FIXME an array of char may lie anywhere, and objects in any order
//@ engines: portfolio
#include <stdint.h>
extern void reach_error(void);
static char text[7];
static int first, second;
static unsigned hash(const void *p) { return (unsigned)((uintptr_t)p * 2654435761u); }
int main(void) {
  uintptr_t a = (uintptr_t)text;
  if (a & 1) reach_error();
  if ((uintptr_t)&first > (uintptr_t)&second) reach_error();
  if (hash(&first) == 12345 || (unsigned)a == 0x1234567) reach_error();
  return 0;
}
