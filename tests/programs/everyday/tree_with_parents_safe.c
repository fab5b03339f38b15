//@ verdict: safe
//@ engines: portfolio
//@ property: valid-memsafety
// A tree whose nodes know their parents, freed without a stack; the bad one leaves the parent a pointer to what is freed.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *left, *right, *parent; };
int main(void) {
  struct node *root = malloc(sizeof *root);
  root->left = root->right = root->parent = NULL;
  while (__VERIFIER_nondet_int()) {
    struct node *n = root;
    while (n->left && n->right) { if (__VERIFIER_nondet_int()) n = n->left; else n = n->right; }
    struct node *m = malloc(sizeof *m);
    m->left = m->right = NULL; m->parent = n;
    if (!n->left) n->left = m; else n->right = m;
  }
  struct node *n = root;
  while (n) {
    if (n->left) n = n->left;
    else if (n->right) n = n->right;
    else {
      struct node *up = n->parent;
      if (up) { if (up->left == n) up->left = NULL; else up->right = NULL; }
      free(n);
      n = up;
    }
  }
  return 0;
}
