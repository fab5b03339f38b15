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
  void (*f)(void *) = free;
  char *p = malloc(4);
  f(p);
  f(p);
  return 0;
}
