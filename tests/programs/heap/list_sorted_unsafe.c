//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-memsafety
// Insertion into a sorted list; the bad one looks beyond the end.
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
int main(void) {
  struct node *head = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    n->value = __VERIFIER_nondet_int();
    if (!head || n->value < head->value) {
      n->next = head;
      head = n;
    } else {
      struct node *p = head;
      while (p->next->value < n->value) p = p->next;
      n->next = p->next;
      p->next = n;
    }
  }
  while (head) {
    struct node *next = head->next;
    free(head);
    head = next;
  }
  return 0;
}
