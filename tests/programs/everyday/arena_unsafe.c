//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-memsafety
// Memory is taken from an arena; the bad one compares with the whole of it, not with what is left.
#include <stdio.h>
#include <stddef.h>
#define SIZE 1024
static _Alignas(16) unsigned char arena[SIZE]; static size_t used;
static void *take(size_t n) {
  n = (n + 15) & ~(size_t)15;
  if (n > SIZE) return NULL;
  void *p = arena + used; used += n; return p;
}
int main(void) {
  int n;
  while (scanf("%d", &n) == 1) {
    if (n <= 0 || n > 100) break;
    int *p = take(n * sizeof(int));
    if (!p) { puts("full"); break; }
    for (int i = 0; i < n; i++) p[i] = i;
  }
  return 0;
}
