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
  int a = 0, c = 0;
  char w[8];
  CHECK(sscanf("12 abc 0x1f", "%d %7s %i", &a, w, &c) == 3);
  CHECK(a == 12 && strcmp(w, "abc") == 0 && c == 30);
  CHECK(sscanf("x", "%d", &a) == 0 && sscanf("", "%d", &a) == -1);
  return 0;
}
