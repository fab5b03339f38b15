//@ verdict: safe
//@ engines: portfolio
//@ property: valid-memsafety
// Nodes move from one list to another; the bad one frees only one of the two.
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
static void drop(struct node *p) {
  while (p) {
    struct node *next = p->next;
    free(p);
    p = next;
  }
}
int main(void) {
  struct node *a = 0, *b = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    n->value = 1;
    n->next = a;
    a = n;
  }
  while (a && __VERIFIER_nondet_int()) {
    struct node *n = a;
    a = n->next;
    n->next = b;
    b = n;
  }
  drop(a);
  drop(b);
  return 0;
}
