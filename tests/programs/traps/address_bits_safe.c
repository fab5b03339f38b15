//@ verdict: safe
//@ engines: portfolio
// Of an address is known what the type, the declaration or the allocation promises.
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);
static long global;
static int one, two;
static int wide __attribute__((aligned(32)));
static uintptr_t up(uintptr_t x) { return (x + 7) & ~(uintptr_t)7; }
int main(void) {
  void *p = 0;
  if (posix_memalign(&p, 64, 100)) return 0;
  int *m = malloc(40);
  if (m == 0) return 0;
  uintptr_t a = (uintptr_t)p, b = (uintptr_t)m, tagged = b | 1;
  if (a % 64 || (a & 31) || b % 16 || (uintptr_t)(m + 1) % 16 != 4) reach_error();
  if ((uintptr_t)&global % 8 || (uintptr_t)&wide % 32) reach_error();
  if ((tagged & 1) == 0 || (int *)(tagged & ~(uintptr_t)1) != m || up(b) != b) reach_error();
  if (b == 0 || b >= (uintptr_t)-4095 || (uintptr_t)(m + 3) - b != 12) reach_error();
  uintptr_t x = (uintptr_t)&one, y = (uintptr_t)&two;
  x ^= y, y ^= x, x ^= y;
  if ((int *)x != &two || (int *)y != &one) reach_error();
  return 0;
}
