//@ verdict: safe
//@ engines: portfolio
//@ property: valid-memsafety
// A doubly linked list, freed from its head; the bad one writes through the missing neighbour.
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next, *prev; };
int main(void) {
  struct node *head = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    n->prev = 0;
    n->next = head;
    if (head) head->prev = n;
    head = n;
  }
  while (head) {
    struct node *next = head->next;
    free(head);
    if (next) next->prev = 0;
    head = next;
  }
  return 0;
}
