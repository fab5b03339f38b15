//@ verdict: safe
//@ engines: portfolio
//@ property: valid-memtrack
// getline makes its buffer before it reads: it is to be freed even if nothing came.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  char *line = NULL;
  size_t size = 0;
  ssize_t n = getline(&line, &size, stdin);
  free(line);
  return n < 0;
}
