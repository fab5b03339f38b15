//@ verdict: safe
//@ engines: portfolio
//@ property: valid-memsafety
// A queue with a tail pointer, freed from its head; the bad one leaves the last node.
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
int main(void) {
  struct node *head = 0, *tail = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    n->value = 1;
    n->next = 0;
    if (tail) tail->next = n;
    else head = n;
    tail = n;
  }
  while (head) {
    struct node *next = head->next;
    free(head);
    head = next;
  }
  return 0;
}
