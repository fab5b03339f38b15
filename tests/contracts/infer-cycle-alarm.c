// sum: unsafe
struct list { struct list *next; int n; };
unsigned sum(struct list *l) {
  unsigned sum = 0;
  for (struct list *p = l->next; p != 0; p = p->next) sum += p->next->n;
  return l ? sum / (l->n - l->next->next->n) : sum;
}
