// last: unsafe
struct text { unsigned n; int s[1]; };
int last(struct text *t) {
  int r = t->n ? t->s[t->n - 1] : 0;
  return r + *(int *)0;
}
