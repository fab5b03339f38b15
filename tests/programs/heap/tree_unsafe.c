//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-memsafety
// A tree of three nodes; the bad one frees a leaf twice.
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
struct tree { struct tree *left, *right; };
static struct tree *leaf(void) {
  struct tree *t = malloc(sizeof *t);
  t->left = 0;
  t->right = 0;
  return t;
}
int main(void) {
  struct tree *root = leaf();
  root->left = leaf();
  root->right = leaf();
  struct tree *t = root->left;
  if (t && !t->left && !t->right) free(t);
  t = root->left;
  if (t && !t->left && !t->right) free(t);
  free(root);
  return 0;
}
