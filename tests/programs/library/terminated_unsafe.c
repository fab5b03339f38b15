//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-memsafety
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
extern void abort(void);
void reach_error(void) { abort(); }
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

int main(void) {
  char b[4] = "";
  strncpy(b, "abcd", 4);
  b[0] = 'x';
  printf("%s\n", b);
  return 0;
}
