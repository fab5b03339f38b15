//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-memsafety
// Keys of the input go into a search tree by a walk that chooses a side with `?:`; the bad one keeps the node of a key that is there already.
#include <stdio.h>
#include <stdlib.h>
struct node { int key; struct node *left, *right; };
static struct node *insert(struct node *root, int key) {
  struct node *n = malloc(sizeof *n);
  if (!n) return root;
  n->key = key;
  n->left = n->right = NULL;
  if (!root) return n;
  struct node *p = root, *parent = NULL;
  while (p) {
    parent = p;
    if (key == p->key) {
      return root;
    }
    p = key < p->key ? p->left : p->right;
  }
  if (key < parent->key) parent->left = n;
  else parent->right = n;
  return root;
}
static int contains(struct node *t, int key) {
  while (t) {
    if (key == t->key) return 1;
    t = key < t->key ? t->left : t->right;
  }
  return 0;
}
static void destroy(struct node *t) {
  if (!t) return;
  destroy(t->left);
  destroy(t->right);
  free(t);
}
int main(void) {
  struct node *root = NULL;
  int key;
  while (scanf("%d", &key) == 1) root = insert(root, key);
  printf("%d\n", contains(root, 42));
  destroy(root);
  return 0;
}
