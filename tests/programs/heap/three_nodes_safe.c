//@ verdict: safe
//@ engines: portfolio
//@ property: valid-memsafety
// Three nodes; the bad one frees the middle one twice.
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
struct node { int value; struct node *next; };
int main(void) {
  struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b), *c = malloc(sizeof *c);
  a->value = 1; b->value = 2; c->value = 3;
  a->next = b; b->next = c; c->next = 0;
  int sum = 0;
  for (struct node *p = a; p; p = p->next) sum += p->value;
  for (struct node *p = a; p;) {
    struct node *next = p->next;
    free(p);
    p = next;
  }
  if (sum != 6) free(b);
  return sum;
}
