//@ verdict: safe
//@ engines: all except trace, whale: they do not look for facts about all cells of the heap
//@ no-aids: unknown impact split predabs
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
    n->value = 1;
    n->next = list;
    list = n;
  }
  for (; list; list = list->next)
    if (list->value != 1)
      reach_error();
  return 0;
}
