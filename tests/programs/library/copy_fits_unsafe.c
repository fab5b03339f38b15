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
  char b[5];
  strcpy(b, "hello");
  puts(b);
  return 0;
}
