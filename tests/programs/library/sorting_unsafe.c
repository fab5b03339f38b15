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

static int compare(const void *p, const void *q) { return *(const int *)p - *(const int *)q; }
int main(void) {
  int a[5] = {4, 1, 3, 5, 2}, i, key = 3;
  qsort(a, 5, sizeof(int), compare);
  for (i = 0; i < 5; i++) CHECK(a[i] == i + 2);
  CHECK(bsearch(&key, a, 5, sizeof(int), compare) == &a[2]);
  return 0;
}
