//@ verdict: safe
//@ engines: portfolio
//@ property: valid-memsafety
// A tree of a given depth is built, summed up and freed by recursion; the bad one frees before it looks.
extern void *malloc(unsigned long);
extern void free(void *);
struct tree { int value; struct tree *left, *right; };
static struct tree *build(int depth) {
  if (depth == 0) return 0;
  struct tree *t = malloc(sizeof *t);
  t->value = depth;
  t->left = build(depth - 1);
  t->right = build(depth - 1);
  return t;
}
static int sum(struct tree *t) {
  if (!t) return 0;
  return t->value + sum(t->left) + sum(t->right);
}
static void destroy(struct tree *t) {
  if (!t) return;
  struct tree *right = t->right;
  destroy(t->left);
  free(t);
  destroy(right);
}
int main(void) {
  struct tree *t = build(3);
  int all = sum(t);
  destroy(t);
  return all;
}
