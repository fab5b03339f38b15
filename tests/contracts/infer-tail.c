// last: safe, requires t != NULL, requires (*t).n <= elements of (*t).s
struct text { unsigned n; int s[1]; };
int last(struct text *t) { return t->n ? t->s[t->n - 1] : 0; }
