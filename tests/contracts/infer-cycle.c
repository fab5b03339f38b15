// sum: safe, requires l != NULL, requires (*l).next != NULL, requires (*(*l).next).next != NULL, requires (*(*(*l).next).next).next != NULL, requires (*(*(*(*l).next).next).next).next == l
struct list { struct list *next; int n; };
unsigned sum(struct list *l) {
  unsigned sum = 0;
  for (struct list *p = l->next; p != l; p = p->next) sum += p->n;
  return sum;
}
