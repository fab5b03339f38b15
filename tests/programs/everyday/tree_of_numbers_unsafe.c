//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-memsafety
// Numbers of the input in a search tree, by functions that call themselves; the bad one frees a node before its right subtree.
#include <stdlib.h>
#include <stdio.h>
struct node { int key; struct node *left, *right; };
static struct node *insert(struct node *t, int k) {
  if (!t) { struct node *n = malloc(sizeof *n); if (!n) exit(1); n->key = k; n->left = n->right = NULL; return n; }
  if (k < t->key) t->left = insert(t->left, k); else if (k > t->key) t->right = insert(t->right, k);
  return t;
}
static void print(const struct node *t) { if (t) { print(t->left); printf("%d\n", t->key); print(t->right); } }
static void destroy(struct node *t) { if (!t) return; destroy(t->left); free(t); destroy(t->right); }
int main(void) {
  struct node *root = NULL; int k;
  while (scanf("%d", &k) == 1) root = insert(root, k);
  print(root);
  destroy(root);
  return 0;
}
