//@ verdict: safe
//@ engines: portfolio
//@ property: valid-memsafety
// Two lists become one; the bad one makes the end point to nowhere in particular.
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
static struct node *make(void) {
  struct node *head = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    n->next = head;
    head = n;
  }
  return head;
}
int main(void) {
  struct node *a = make(), *b = make();
  if (!a)
    a = b;
  else {
    struct node *p = a;
    while (p->next) p = p->next;
    p->next = b;
  }
  while (a) {
    struct node *n = a;
    a = n->next;
    free(n);
  }
  return 0;
}
