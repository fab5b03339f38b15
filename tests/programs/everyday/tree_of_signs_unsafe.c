//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-memsafety
// The tree of an expression, evaluated and given back by recursion; the bad one looks at a node that was freed.
#include <stdio.h>
#include <stdlib.h>
struct expr {
  char sign;
  int value;
  struct expr *left, *right;
};
static struct expr *leaf(int value) {
  struct expr *e = calloc(1, sizeof *e);
  if (!e) exit(1);
  e->sign = 'n';
  e->value = value;
  return e;
}
static struct expr *node(char sign, struct expr *left, struct expr *right) {
  struct expr *e = malloc(sizeof *e);
  if (!e) exit(1);
  e->sign = sign;
  e->left = left;
  e->right = right;
  e->value = 0;
  return e;
}
static unsigned value(const struct expr *e) {
  switch (e->sign) {
  case '+': return value(e->left) + value(e->right);
  case '*': return value(e->left) * value(e->right);
  default: return (unsigned)e->value;
  }
}
static void drop(struct expr *e) {
  if (!e) return;
  drop(e->left);
  free(e);
  drop(e->right);
}
int main(void) {
  struct expr *e = leaf(0);
  int c;
  while ((c = getchar()) != EOF && c != '\n') {
    if (c >= '0' && c <= '9')
      e = node('+', e, leaf(c - '0'));
    else if (c == '*')
      e = node('*', e, leaf(2));
  }
  printf("%u\n", value(e));
  drop(e);
  return 0;
}
