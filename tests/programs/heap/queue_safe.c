//@ verdict: safe
//@ engines: portfolio
//@ property: valid-memsafety
// A queue of bounded length; the bad one takes from the empty one.
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
struct node { int value; struct node *next; };
int main(void) {
  struct node *head = 0, *tail = 0;
  for (int i = 0; i < 3; i++) {
    struct node *n = malloc(sizeof *n);
    n->value = i;
    n->next = 0;
    if (tail) tail->next = n;
    else head = n;
    tail = n;
  }
  int taken = 0;
  for (int i = 0; i < 3; i++) {
    struct node *n = head;
    head = n->next;
    taken += n->value;
    free(n);
  }
  return taken;
}
