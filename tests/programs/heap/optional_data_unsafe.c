//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-memsafety
// Nodes with data that some of them do not have; the bad one looks at it without asking.
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; int *data; };
int main(void) {
  struct node *head = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    n->data = 0;
    if (__VERIFIER_nondet_int()) {
      n->data = malloc(sizeof(int));
      *n->data = 3;
    }
    n->next = head;
    head = n;
  }
  for (struct node *n = head; n; n = n->next)
    if (n) ++*n->data; //~ violated
  while (head) {
    struct node *n = head;
    head = n->next;
    free(n->data);
    free(n);
  }
  return 0;
}
