//@ verdict: safe
//@ engines: portfolio
//@ property: valid-memsafety
// A table of chains behind a pointer, as large as its maker says, from which keys are removed; the bad one frees a pair before it reads on.
#include <stdio.h>
#include <stdlib.h>
struct pair { int key, value; struct pair *next; };
struct map { unsigned size; struct pair **buckets; };
static struct map *map_new(unsigned size) {
  struct map *m = malloc(sizeof *m);
  if (!m) return NULL;
  m->buckets = malloc(size * sizeof *m->buckets);
  if (!m->buckets) {
    free(m);
    return NULL;
  }
  for (unsigned i = 0; i < size; i++) m->buckets[i] = NULL;
  m->size = size;
  return m;
}
static int map_put(struct map *m, int key, int value) {
  unsigned b = (unsigned)key % m->size;
  struct pair *p;
  for (p = m->buckets[b]; p; p = p->next)
    if (p->key == key) {
      p->value = value;
      return 0;
    }
  p = malloc(sizeof *p);
  if (!p) return -1;
  p->key = key;
  p->value = value;
  p->next = m->buckets[b];
  m->buckets[b] = p;
  return 1;
}
static void map_remove(struct map *m, int key) {
  unsigned b = (unsigned)key % m->size;
  struct pair *prev = NULL;
  for (struct pair *p = m->buckets[b]; p; prev = p, p = p->next)
    if (p->key == key) {
      if (prev) prev->next = p->next;
      else m->buckets[b] = p->next;
      free(p);
      return;
    }
}
static void map_free(struct map *m) {
  for (unsigned b = 0; b < m->size; b++)
    for (struct pair *p = m->buckets[b], *next; p; p = next) {
      next = p->next;
      free(p);
    }
  free(m->buckets);
  free(m);
}
int main(void) {
  struct map *m = map_new(31);
  int key, value;
  if (!m) return 1;
  while (scanf("%d %d", &key, &value) == 2) {
    if (value == 0) map_remove(m, key);
    else if (map_put(m, key, value) < 0) break;
  }
  map_free(m);
  return 0;
}
