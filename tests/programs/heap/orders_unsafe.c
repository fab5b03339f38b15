//@ verdict: unsafe
//@ engines: portfolio
//@ property: unreach-call
// Each node of a list relates two numbers of its own; the bad one forgets to compare them.
extern void *malloc(unsigned long);
extern void __VERIFIER_error(void);
extern int __VERIFIER_nondet_int(void);
struct order { struct order *next; int stock, taken; };
int main(void) {
  struct order *list = 0;
  while (__VERIFIER_nondet_int()) {
    int stock = __VERIFIER_nondet_int();
    if (stock < 0) continue;
    struct order *new = malloc(sizeof *new);
    new->stock = stock;
    new->taken = 0;
    new->next = list;
    list = new;
  }
  for (struct order *o = list; o; o = o->next) {
    int wanted = __VERIFIER_nondet_int();
    if (wanted >= 0) o->taken = wanted;
  }
  for (struct order *o = list; o; o = o->next)
    if (o->taken > o->stock) __VERIFIER_error();
  return 0;
}
