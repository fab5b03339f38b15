//@ verdict: safe
//@ engines: portfolio
//@ property: valid-memsafety
// A list built by prepending, walked and freed; the bad one reads a freed node.
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
int main(void) {
  struct node *head = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    n->value = 1;
    n->next = head;
    head = n;
  }
  int sum = 0;
  for (struct node *p = head; p; p = p->next)
    if (sum < 1000) sum += p->value;
  while (head) {
    struct node *old = head;
    head = old->next;
    free(old);
  }
  return 0;
}
