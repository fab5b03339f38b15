//@ verdict: safe
//@ engines: portfolio
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  if (!(__builtin_popcount(0xf0f0u) == 8 && __builtin_clz(1u) == 31 && __builtin_ctz(8u) == 3))
    reach_error();
  if (!(__builtin_ffs(0) == 0 && __builtin_ffs(12) == 3 && __builtin_parity(7u) == 1))
    reach_error();
  if (!(__builtin_bswap32(0x11223344u) == 0x44332211u && __builtin_bswap16(0x1122) == 0x2211))
    reach_error();
  return 0;
}
