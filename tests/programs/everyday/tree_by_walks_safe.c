//@ verdict: safe
//@ engines: portfolio
//@ property: valid-memsafety
// A tree grows at its leaves, found by walks from the root, and is freed leaf by leaf; the bad one forgets one child.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int key; struct node *left, *right; };
int main(void) {
  struct node *root = malloc(sizeof *root);
  root->key = 0; root->left = root->right = NULL;
  while (__VERIFIER_nondet_int()) {
    struct node *n = root;
    while (n->left && n->right) { if (__VERIFIER_nondet_int()) n = n->left; else n = n->right; }
    struct node *m = malloc(sizeof *m);
    m->key = 1; m->left = m->right = NULL;
    if (!n->left) n->left = m; else n->right = m;
  }
  while (root) {
    struct node *pred = NULL, *n = root;
    while (n->left || n->right) { pred = n; if (n->left) n = n->left; else n = n->right; }
    if (pred) { if (pred->left == n) pred->left = NULL; else pred->right = NULL; } else root = NULL;
    free(n);
  }
  return 0;
}
