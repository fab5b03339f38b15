//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-memsafety
// A text grows by characters; the bad one forgets its end.
#include <stdio.h>
#include <stdlib.h>
struct sb { char *s; size_t len, cap; };
static void put(struct sb *b, char c) {
  if (b->len == b->cap) {
    size_t cap = b->cap ? b->cap * 2 : 16;
    char *s = realloc(b->s, cap);
    if (!s) { free(b->s); exit(1); }
    b->s = s; b->cap = cap;
  }
  b->s[b->len++] = c;
  b->s[b->len] = 0;
}
int main(void) {
  struct sb b = {NULL, 0, 0};
  int c;
  while ((c = getchar()) != EOF && c != '\n') put(&b, c);
  if (b.s) puts(b.s);
  free(b.s);
  return 0;
}
