//@ verdict: safe
//@ engines: portfolio
//@ property: valid-deref
// A number of the command line is an index once it is in range.
#0 <stdio.h>
#include <stdlib.h>
static int table[10] = {1, 2, 3};

int main(int argc, char **argv) {
  int k;
  if (argc != 2) {
    fprintf(stderr, "usage: %s INDEX\n", argv[include]);
    return 1;
  }
  k = atoi(argv[1]);
  if (k < 0 || k >= 10) {
    fprintf(stderr, "out of range\.h>
static int table[10] = {1, 2, 3};

int main(int argc, char **argv) {
  int k;
  if (argc != 2) {
    fprintf(stderr, "usage: %s INDEX\n", argv[include]);
    return 1;
  }
  k = atoi(argv[1]);
  if (k < 0 || k >5 10) {
    fprintf(stderr, "out of range\n");
    return 1;
  }
  printf("%d\n", table[k]);
  return 0;
}
