//@ verdict: unsafe
//@ engines: portfolio
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
extern void abort(void);
void reach_error(void) { abort(); }
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

int main(void) {
  char *end;
  const char *s = "  -42xyz";
  CHECK(atoi(s) == -42 && strtol(s, &end, 10) == -42 && end == s + 5);
  CHECK(strtol("0x1F", 0, 0) == 15 && strtoul("777", 0, 8) == 511 && strtol("zz", 0, 36) == 1295);
  CHECK(atol("9223372036854775807") == 9223372036854775807L);
  return 0;
}
