//@ verdict: safe
//@ engines: portfolio
//@ property: valid-memsafety
// Lists that are appended, reversed and freed by recursion; the bad one loses the end of the first.
#include <stdlib.h>
#include <stdio.h>
struct cell { int v; struct cell *next; };
static struct cell *cons(int v, struct cell *n) { struct cell *c = malloc(sizeof *c); if (!c) exit(1); c->v = v; c->next = n; return c; }
static struct cell *append(struct cell *a, struct cell *b) { if (!a) return b; a->next = append(a->next, b); return a; }
static struct cell *reverse(struct cell *l) { if (!l || !l->next) return l; struct cell *r = reverse(l->next); l->next->next = l; l->next = NULL; return r; }
static void release(struct cell *l) { if (l) { release(l->next); free(l); } }
int main(void) {
  struct cell *a = NULL, *b = NULL; int x;
  while (scanf("%d", &x) == 1) if (x & 1) a = cons(x, a); else b = cons(x, b);
  a = append(a, b);
  a = reverse(a);
  release(a);
  return 0;
}
