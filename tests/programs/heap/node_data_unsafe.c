//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-memsafety
// Data that hangs on the nodes of a list; the bad one frees it after its node.
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
struct outer { struct outer *next; void *data; };
int main(void) {
  struct outer *list = 0;
  while (__VERIFIER_nondet_int()) {
    struct outer *o = malloc(sizeof *o);
    o->data = malloc(40);
    o->next = list;
    list = o;
  }
  while (list) {
    struct outer *next = list->next;
    free(list);
    free(list->data);
    list = next;
  }
  return 0;
}
