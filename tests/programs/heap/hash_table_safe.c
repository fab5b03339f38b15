//@ verdict: safe
//@ engines: portfolio
//@ property: valid-memsafety
// A table of four chains; the bad one frees three.
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
struct node { int value; struct node *next; };
int main(void) {
  struct node *chains[4] = {0, 0, 0, 0};
  for (int i = 0; i < 6; i++) {
    struct node *n = malloc(sizeof *n);
    n->value = i;
    n->next = chains[i % 4];
    chains[i % 4] = n;
  }
  for (int i = 0; i < 4; i++) {
    struct node *p = chains[i];
    while (p) {
      struct node *next = p->next;
      free(p);
      p = next;
    }
  }
  return 0;
}
