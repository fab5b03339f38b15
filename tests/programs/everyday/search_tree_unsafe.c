//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-deref
// A search tree is built without recursion and searched; the bad one forgets that there may be no root.
extern void *malloc(unsigned long);
extern int __VERIFIER_nondet_int(void);
struct tree { int key; struct tree *left, *right; };
int main(void) {
  struct tree *root = 0;
  for (int i = 0; i < 3; i++) {
    struct tree *new = malloc(sizeof *new);
    new->key = __VERIFIER_nondet_int();
    new->left = new->right = 0;
    struct tree **at = &root;
    while (*at) at = new->key < (*at)->key ? &(*at)->left : &(*at)->right;
    *at = new;
    if (__VERIFIER_nondet_int()) break;
  }
  int key = __VERIFIER_nondet_int();
  struct tree *at = root;
  while (at->key != key) at = key < at->key ? at->left : at->right;
  return at ? 1 : 0;
}
