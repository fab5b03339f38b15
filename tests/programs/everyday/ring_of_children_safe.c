//@ verdict: safe
//@ engines: portfolio
//@ property: valid-memsafety
// A ring is counted out until one object is left; the bad one looks at the object that it freed.
#include <stdio.h>
#include <stdlib.h>
struct child { int number; struct child *next; };
int main(void) {
  int step, number;
  struct child *first = NULL, *last = NULL;
  if (scanf("%d", &step) != 1) return 1;
  while (scanf("%d", &number) == 1) {
    struct child *c = malloc(sizeof *c);
    if (!c) break;
    c->number = number;
    if (!first) first = c;
    else last->next = c;
    last = c;
    c->next = first;
  }
  if (!last) return 1;
  struct child *p = last;
  while (p->next != p) {
    for (int i = 1; i < step; i++) p = p->next;
    struct child *out = p->next;
    p->next = out->next;
    printf("%d\n", out->number);
    free(out);
  }
  printf("last %d\n", p->number);
  free(p);
  return 0;
}
