//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-memsafety
// A circular list with one fixed node; the bad one frees that node twice.
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
int main(void) {
  struct node *ring = malloc(sizeof *ring);
  ring->value = 0;
  ring->next = ring;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    n->value = 1;
    n->next = ring->next;
    ring->next = n;
  }
  struct node *p = ring;
  do {
    struct node *next = p->next;
    if (p == ring) break;
    free(p);
    p = next;
  } while (p != ring);
  if (p == ring) free(p);
  free(ring);
  return 0;
}
