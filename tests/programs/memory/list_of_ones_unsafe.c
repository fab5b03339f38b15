//@ verdict: unsafe
//@ engines: all
void *malloc(unsigned long);
extern void abort(void);
void reach_error(void) { abort(); }
extern int __VERIFIER_nondet_int(void);

struct node {
  int value;
  struct node *next;
};

int main(void) {
  struct node *list = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    n->value = list ? 1 : 2;
    n->next = list;
    list = n;
  }
  for (; list; list = list->next)
    if (list->value != 1)
      reach_error(); //~ violated
  return 0;
}
