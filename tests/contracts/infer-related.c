// push: safe, requires v != NULL, requires (*v).len < elements of (*v).d
struct vector { int *d; unsigned long len, size; int mark; };
void push(struct vector *v, int x, int y) {
  v->mark = y;
  v->d[v->len] = x;
}
