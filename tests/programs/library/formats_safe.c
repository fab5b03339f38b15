//@ verdict: safe
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
  char b[40];
  int n = snprintf(b, sizeof b, "%d|%5u|%-4x|%s|%c", -7, 42u, 255, "ab", 'z');
  CHECK(n == 18 && strcmp(b, "-7|   42|ff  |ab|z") == 0);
  CHECK(sprintf(b, "%05d %+d %o", 42, 7, 8) == 11 && strcmp(b, "00042 +7 10") == 0);
  CHECK(snprintf(b, 3, "%s", "abcdef") == 6 && strcmp(b, "ab") == 0);
  return 0;
}
