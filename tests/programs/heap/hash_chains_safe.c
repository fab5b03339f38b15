//@ verdict: safe
//@ engines: portfolio
//@ property: valid-memsafety
// A table of chains; the bad one frees the chains of some buckets only.
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
static struct node *table[4];
int main(void) {
  while (__VERIFIER_nondet_int()) {
    int h = __VERIFIER_nondet_int();
    if (h < 0 || h > 3) continue;
    struct node *n = malloc(sizeof *n);
    n->value = h;
    n->next = table[h];
    table[h] = n;
  }
  for (int i = 0; i < 4; i++)
    while (table[i]) {
      struct node *n = table[i];
      table[i] = n->next;
      free(n);
    }
  
  return 0;
}
