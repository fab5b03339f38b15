//@ verdict: safe
//@ engines: portfolio
//@ property: valid-memsafety
// Nodes are kept for later use; the bad one hands out a node that is still in use.
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
static struct node *spare;
static struct node *get(void) {
  struct node *n = spare;
  if (n) spare = n->next;
  else n = malloc(sizeof *n);
  n->next = 0;
  return n;
}
static void put(struct node *n) {
  n->next = spare;
  spare = n;
}
int main(void) {
  struct node *used = 0;
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) {
      struct node *n = get();
      n->next = used;
      used = n;
    } else if (used) {
      struct node *n = used;
      used = n->next;
      put(n);
    }
  }
  while (used) {
    struct node *n = used;
    used = n->next;
    put(n);
  }
  while (spare) {
    struct node *n = spare;
    spare = n->next;
    free(n);
  }
  return 0;
}
