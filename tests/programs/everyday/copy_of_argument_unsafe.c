//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-memsafety
// An argument of any length is copied; the bad one has no room for the end.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: %s text\n", argv[0]);
    return 1;
  }
  char *copy = malloc(strlen(argv[1]));
  if (!copy) return 1;
  strcpy(copy, argv[1]); //~ violated
  printf("%s\n", copy);
  free(copy);
  return 0;
}
