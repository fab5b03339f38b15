//@ verdict: unsafe
//@ engines: impact
//@ property: valid-memsafety
#include <stdlib.h>
#include <string.h>
struct node { struct node *next; void *payload; };
static void *zeroed(size_t count, size_t size) {
  void *p = malloc(count * size);
  return memset(p, 0, count * size);
}
static struct node *list;
int main(void) {
  struct node *n = zeroed(1, sizeof *n);
  n->payload = zeroed(1, 20);
  n->next = list;
  list = n;
  if (0) free(list->payload);
  struct node *rest = list->next;
  free(list);
  list = rest;
  return 0;
}
