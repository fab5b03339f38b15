//@ verdict: safe
//@ engines: portfolio
//@ property: valid-memsafety
// An array that grows; the bad one grows one number too late.
extern void *realloc(void *, unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
struct vector { int *data; int length, room; };
static void push(struct vector *v, int value) {
  if (v->length == v->room) {
    v->room = v->room ? 2 * v->room : 4;
    v->data = realloc(v->data, v->room * sizeof(int));
  }
  v->data[v->length++] = value;
}
int main(void) {
  struct vector v = {0, 0, 0};
  for (int i = 0; i < 20 && __VERIFIER_nondet_int(); i++) push(&v, i);
  free(v.data);
  return 0;
}
