//@ verdict: safe
//@ engines: portfolio
//@ property: valid-memsafety
// Lists in the nodes of a list; the bad one loses the first node of each.
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
struct inner { struct inner *next; };
struct outer { struct outer *next; struct inner *down; int tag; };
int main(void) {
  struct outer *list = 0;
  while (__VERIFIER_nondet_int()) {
    struct outer *o = malloc(sizeof *o);
    o->down = 0;
    do {
      struct inner *i = malloc(sizeof *i);
      i->next = o->down;
      o->down = i;
    } while (__VERIFIER_nondet_int());
    o->next = list;
    list = o;
  }
  while (list) {
    struct outer *next = list->next;
    struct inner *at = list->down;
    while (at) { struct inner *n = at->next; free(at); at = n; }
    free(list);
    list = next;
  }
  return 0;
}
