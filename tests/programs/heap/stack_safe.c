//@ verdict: safe
//@ engines: portfolio
//@ property: valid-memsafety
// A linked stack; the bad one pops from the empty one.
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
static struct node *top;
static void push(int x) {
  struct node *n = malloc(sizeof *n);
  n->value = x;
  n->next = top;
  top = n;
}
static int pop(void) {
  struct node *n = top;
  int x = n->value;
  top = n->next;
  free(n);
  return x;
}
int main(void) {
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) push(3);
    else if (top) pop();
  }
  while (top) pop();
  return 0;
}
