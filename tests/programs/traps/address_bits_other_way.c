//@ verdict: unknown FIXME nor that it is none of the larger
//@ engines: portfolio
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
  char *p = malloc(10);
  if (p == 0) return 0;
  if (((uintptr_t)p >> 4 & 1) == 0) reach_error();
  return 0;
}
