//@ verdict: safe
//@ engines: portfolio
// What is made of an address by a product or a shift leads back to it, and tells nothing.
#include <stdint.h>
extern void reach_error(void);
int main(void) {
  int x = 1;
  long twice = (long)&x * 2;
  uintptr_t number = (uintptr_t)&x >> 2;
  *(int *)(twice / 2) = 9;
  if (x != 9) reach_error();
  *(int *)(number << 2) = 7;
  if (x != 7) reach_error();
  return 0;
}
