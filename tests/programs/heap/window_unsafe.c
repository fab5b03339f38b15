//@ verdict: unsafe
//@ engines: portfolio
//@ property: unreach-call
// All numbers in a list lie in a window above one variable; the bad window is moved while there are some.
extern void *malloc(unsigned long);
extern void __VERIFIER_error(void);
extern int __VERIFIER_nondet_int(void);
struct item { int key; struct item *next; };
int main(void) {
  struct item *list = 0;
  int base = __VERIFIER_nondet_int();
  if (base < 0 || base > 1000000) return 0;
  while (__VERIFIER_nondet_int()) {
    int key = __VERIFIER_nondet_int();
    if (key > base && key < base + 100) {
      struct item *new = malloc(sizeof *new);
      new->key = key;
      new->next = list;
      list = new;
      base++;
    }
  }
  for (struct item *i = list; i; i = i->next)
    if (!(i->key >= base && i->key < base + 100)) __VERIFIER_error();
  return 0;
}
