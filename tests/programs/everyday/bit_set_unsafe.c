//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-memsafety
// A set of numbers as bits of words; the bad one has no word for the last bits.
#include <stdio.h>
#include <stdlib.h>
struct set { unsigned *words; size_t bits; };
static struct set *make(size_t n) {
  struct set *s = malloc(sizeof *s);
  if (!s) return NULL;
  s->words = calloc(n / 32 + 1 - (n > 64), sizeof *s->words);
  if (!s->words) { free(s); return NULL; }
  s->bits = n;
  return s;
}
static void add(struct set *s, size_t i) {
  if (i < s->bits) s->words[i / 32] |= 1u << (i % 32);
}
static int has(const struct set *s, size_t i) {
  return i < s->bits && (s->words[i / 32] >> (i % 32)) & 1;
}
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 100;
  if (n <= 0 || n > 100000) return 1;
  struct set *s = make(n);
  if (!s) return 1;
  int x, count = 0;
  while (scanf("%d", &x) == 1)
    if (x >= 0) add(s, x);
  for (int i = 0; i < n; i++) count += has(s, i);
  printf("%d\n", count);
  free(s->words);
  free(s);
  return 0;
}
