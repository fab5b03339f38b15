/* search.h: lists, trees, a table. */
struct craig_link { struct craig_link *next, *previous; };
void insque(void *p, void *after) {
  struct craig_link *e = p, *a = after;
  __builtin_craig_writable(e, sizeof *e);
  if (a == 0) { e->next = 0; e->previous = 0; return; }
  __builtin_craig_writable(a, sizeof *a);
  e->next = a->next;
  e->previous = a;
  if (a->next != 0) { __builtin_craig_writable(a->next, sizeof *a); a->next->previous = e; }
  a->next = e;
}
void remque(void *p) {
  struct craig_link *e = p;
  __builtin_craig_writable(e, sizeof *e);
  if (e->next != 0) { __builtin_craig_writable(e->next, sizeof *e); e->next->previous = e->previous; }
  if (e->previous != 0) { __builtin_craig_writable(e->previous, sizeof *e); e->previous->next = e->next; }
}
/* An unbalanced tree, with the key first in each node as the real one has it. */
struct craig_tree { const void *key; struct craig_tree *left, *right; };
void *tsearch(const void *key, void **root, int (*compare)(const void *, const void *)) {
  struct craig_tree **at = (struct craig_tree **)root;
  if (at == 0) return 0;
  __builtin_craig_writable(at, sizeof *at);
  while (*at != 0) {
    int c = compare(key, (*at)->key);
    if (c == 0) return *at;
    at = c < 0 ? &(*at)->left : &(*at)->right;
  }
  *at = malloc(sizeof **at);
  if (*at == 0) return 0;
  (*at)->key = key;
  (*at)->left = 0;
  (*at)->right = 0;
  return *at;
}
void *tfind(const void *key, void *const *root, int (*compare)(const void *, const void *)) {
  struct craig_tree *at;
  if (root == 0) return 0;
  __builtin_craig_readable(root, sizeof *root);
  at = *root;
  while (at != 0) {
    int c = compare(key, at->key);
    if (c == 0) return at;
    at = c < 0 ? at->left : at->right;
  }
  return 0;
}
/* Gives the parent of what was deleted; for the root, some pointer that is not null. */
void *tdelete(const void *key, void **root, int (*compare)(const void *, const void *)) {
  struct craig_tree **at = (struct craig_tree **)root, *node, *parent = 0;
  if (at == 0) return 0;
  __builtin_craig_writable(at, sizeof *at);
  if (*at == 0) return 0;
  parent = (struct craig_tree *)root;
  for (;;) {
    int c = compare(key, (*at)->key);
    if (c == 0) break;
    parent = *at;
    at = c < 0 ? &(*at)->left : &(*at)->right;
    if (*at == 0) return 0;
  }
  node = *at;
  if (node->left == 0) *at = node->right;
  else if (node->right == 0) *at = node->left;
  else {
    struct craig_tree **next = &node->right, *moved;
    while ((*next)->left != 0) next = &(*next)->left;
    moved = *next;
    *next = moved->right;
    moved->left = node->left;
    moved->right = node->right;
    *at = moved;
  }
  free(node);
  return parent;
}
static void craig_walk(const struct craig_tree *t, void (*f)(const void *, int, int), int level) {
  if (t->left == 0 && t->right == 0) { f(t, 3, level); return; }
  f(t, 0, level);
  if (t->left != 0) craig_walk(t->left, f, level + 1);
  f(t, 1, level);
  if (t->right != 0) craig_walk(t->right, f, level + 1);
  f(t, 2, level);
}
/* The real tree is balanced: which node is at which level, and which has nothing below, is not known of ours. */
static void craig_shape(const struct craig_tree *t) {
  if (!__builtin_craig_runs() && (t->left != 0 || t->right != 0)) __builtin_craig_unmodelled("the shape of a search tree is not modelled");
}
void twalk(const void *root, void (*f)(const void *, int, int)) {
  if (root == 0 || f == 0) return;
  craig_shape(root);
  craig_walk(root, f, 0);
}
static void craig_walk_with(const struct craig_tree *t, void (*f)(const void *, int, void *), void *arg) {
  if (t->left == 0 && t->right == 0) { f(t, 3, arg); return; }
  f(t, 0, arg);
  if (t->left != 0) craig_walk_with(t->left, f, arg);
  f(t, 1, arg);
  if (t->right != 0) craig_walk_with(t->right, f, arg);
  f(t, 2, arg);
}
void twalk_r(const void *root, void (*f)(const void *, int, void *), void *arg) {
  if (root == 0 || f == 0) return;
  craig_shape(root);
  craig_walk_with(root, f, arg);
}
void tdestroy(void *root, void (*f)(void *)) {
  struct craig_tree *t = root;
  if (t == 0) return;
  tdestroy(t->left, f);
  tdestroy(t->right, f);
  f((void *)t->key);
  free(t);
}
/* A table of keys: pairs in a list of as many places as were asked for. */
struct craig_pair { char *key; void *data; };
struct craig_table { struct craig_pair *pairs; unsigned size, filled; };
static struct craig_table craig_table;
int hcreate_r(size_t n, struct craig_table *t) {
  __builtin_craig_writable(t, sizeof *t);
  if (t->pairs != 0) return 0;
  if (n < 3) n = 3;
  t->pairs = calloc(n + 1, sizeof(struct craig_pair));
  if (t->pairs == 0) { craig_errno = 12; return 0; }
  t->size = (unsigned)n;
  t->filled = 0;
  return 1;
}
void hdestroy_r(struct craig_table *t) { __builtin_craig_writable(t, sizeof *t); free(t->pairs); t->pairs = 0; }
static int craig_pair_of(char *key, void *data, int action, struct craig_pair **result, struct craig_table *t) {
  size_t i;
  __builtin_craig_writable(result, sizeof *result);
  *result = 0;
  for (i = 0; i < t->filled; i++)
    if (strcmp(t->pairs[i].key, key) == 0) { *result = &t->pairs[i]; return 1; }
  if (action == 0) { craig_errno = 3; return 0; }
  /* The real table has up to the next prime number of places. */
  if (t->filled >= t->size) { if (t->filled > t->size || !__builtin_craig_any_bool()) { craig_errno = 12; return 0; } __builtin_craig_unmodelled("a table with more keys than were asked for is not modelled"); }
  t->pairs[t->filled].key = key;
  t->pairs[t->filled].data = data;
  *result = &t->pairs[t->filled];
  t->filled++;
  return 1;
}
static int craig_of_hsearch_r(struct craig_pair *p, int action, struct craig_pair **result, struct craig_table *t) { return craig_pair_of(p->key, p->data, action, result, t); }
static struct craig_pair *craig_of_hsearch(struct craig_pair *p, int action) {
  struct craig_pair *r;
  return craig_pair_of(p->key, p->data, action, &r, &craig_table) ? r : (struct craig_pair *)0;
}
int hcreate(size_t n) { return hcreate_r(n, &craig_table); }
void hdestroy(void) { hdestroy_r(&craig_table); }
