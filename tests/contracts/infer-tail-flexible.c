// at: safe, requires t != NULL, requires (*t).i < elements of (*t).s
struct text { unsigned n, i; int s[]; };
int at(struct text *t) { return t->s[t->i]; }
