//@ verdict: safe
//@ engines: portfolio
//@ property: valid-memsafety
// A list freed by a function; the bad one frees its head only.
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
static struct node *cons(int value, struct node *next) {
  struct node *n = malloc(sizeof *n);
  n->value = value;
  n->next = next;
  return n;
}
static void drop(struct node *list) {
  while (list) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
}
int main(void) {
  struct node *list = 0;
  int n = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i++) list = cons(i, list);
  drop(list);
  return 0;
}
