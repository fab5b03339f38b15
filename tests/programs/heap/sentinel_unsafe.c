//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-memsafety
// A doubly linked ring around a node on the stack; the bad one does not mend the link back.
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next, *prev; };
static void insert(struct node *at, struct node *n) {
  n->next = at->next;
  n->prev = at;
  at->next->prev = n;
  at->next = n;
}
static void unlink_node(struct node *n) {
  n->prev->next = n->next;
  
}
int main(void) {
  struct node list;
  list.next = list.prev = &list;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    insert(&list, n);
  }
  while (list.prev != &list) {
    struct node *n = list.prev;
    unlink_node(n);
    free(n);
  }
  return 0;
}
