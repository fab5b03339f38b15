//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-memsafety
// A hash table from numbers to numbers, entries of which are taken out through a pointer to their bucket; the bad one empties a bucket too many.
#include <stdio.h>
#include <stdlib.h>
#define SIZE 64
struct node { int key; int value; struct node *next; };
static struct node *table[SIZE];
static unsigned hash(int key) { return (unsigned)key % SIZE; }
static struct node *find(int key) {
  struct node *n;
  for (n = table[hash(key)]; n != NULL; n = n->next)
    if (n->key == key) return n;
  return NULL;
}
static void put(int key, int value) {
  struct node *n = find(key);
  if (n != NULL) { n->value = value; return; }
  n = malloc(sizeof *n);
  if (n == NULL) exit(1);
  n->key = key;
  n->value = value;
  unsigned h = hash(key);
  n->next = table[h];
  table[h] = n;
}
static void drop(int key) {
  struct node **p = &table[hash(key)];
  while (*p != NULL) {
    struct node *n = *p;
    if (n->key == key) {
      *p = n->next;
      free(n);
      return;
    }
    p = &n->next;
  }
}
static void clear(void) {
  for (int i = 0; i <= SIZE; i++) {
    struct node *n = table[i];
    while (n != NULL) {
      struct node *next = n->next;
      free(n);
      n = next;
    }
    table[i] = NULL;
  }
}
int main(void) {
  char command;
  int key, value;
  while (scanf(" %c %d", &command, &key) == 2) {
    if (command == 'p' && scanf("%d", &value) == 1) put(key, value);
    else if (command == 'd') drop(key);
    else {
      struct node *n = find(key);
      if (n) printf("%d\n", n->value);
    }
  }
  clear();
  return 0;
}
