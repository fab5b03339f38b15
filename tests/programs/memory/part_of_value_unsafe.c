//@ verdict: unsafe
//@ engines: portfolio
// Some bytes of a number are copied or set, the others stay.
#include <string.h>
extern void reach_error(void);

int main(void) {
  int from = 0x11223344, to = -1;
  int set[2] = {-1, -1};
  memcpy(&to, &from, 3);
  memset(set, 0, 6);
  if (to != (int)0xffff3344) reach_error(); //~ violated
  if (set[0] != 0 || set[1] != (int)0xffff0000) reach_error();
  return 0;
}
