//@ verdict: safe
//@ engines: portfolio
//@ property: valid-memsafety
// A hash table with chains in a hundred buckets that is searched, filled and emptied; the bad one looks at what it freed.
#include <stdio.h>
#include <stdlib.h>
#define BUCKETS 101
struct entry { int key; struct entry *next; };
static struct entry *buckets[BUCKETS];
static void insert(int key) {
  int h = (unsigned)key % BUCKETS;
  struct entry *e = malloc(sizeof(struct entry));
  if (!e) exit(1);
  e->key = key;
  e->next = buckets[h];
  buckets[h] = e;
}
static int contains(int key) {
  for (struct entry *e = buckets[(unsigned)key % BUCKETS]; e; e = e->next)
    if (e->key == key) return 1;
  return 0;
}
int main(void) {
  int key;
  while (scanf("%d", &key) == 1)
    if (!contains(key)) insert(key);
  for (int i = 0; i < BUCKETS; i++) {
    struct entry *e = buckets[i];
    while (e) {
      struct entry *next = e->next;
      free(e);
      e = next;
    }
  }
  return 0;
}
