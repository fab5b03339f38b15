//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-memsafety
// A list with two ends, changed at both; the bad one forgets the end when it gets empty.
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next, *prev; };
int main(void) {
  struct node *first = 0, *last = 0;
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) {
      struct node *n = malloc(sizeof *n);
      n->next = 0;
      n->prev = last;
      if (last) last->next = n;
      else first = n;
      last = n;
    } else if (first) {
      struct node *n = first;
      first = n->next;
      if (first) first->prev = 0;
      
      free(n);
    }
  }
  while (first) {
    struct node *n = first;
    first = n->next;
    free(n);
  }
  return 0;
}
