//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-memsafety
// Nodes with a value are taken out of a list; the bad one forgets to unlink the first.
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
int main(void) {
  struct node *head = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    n->value = __VERIFIER_nondet_int();
    n->next = head;
    head = n;
  }
  struct node *before = 0, *p = head;
  while (p) {
    struct node *next = p->next;
    if (p->value != 0) {
      if (before) before->next = next;
      
      free(p);
    } else
      before = p;
    p = next;
  }
  while (head) {
    struct node *next = head->next;
    free(head);
    head = next;
  }
  return 0;
}
