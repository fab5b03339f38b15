//@ verdict: unsafe
//@ engines: portfolio
#define _GNU_SOURCE
#include <search.h>
extern void reach_error(void);
static int seen;
static void visit(const void *node, VISIT order, int depth) { seen = 1; }
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main(void) {
  void *root = 0;
  int key = 1;
  tsearch(&key, &root, compare);
  twalk(root, visit);
  if (seen == 1) reach_error(); //~ violated
  return 0;
}
