//@ verdict: safe
//@ engines: portfolio
//@ property: valid-memsafety
// Lines of any length, numbered, without their ends; the bad one looks behind the zero.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  char *line = NULL;
  size_t cap = 0;
  ssize_t n;
  int number = 0;
  while ((n = getline(&line, &cap, stdin)) != -1) {
    number++;
    if (line[n - 1] == '\n') line[n - 1] = '\0';
    printf("%d: %s\n", number, line);
  }
  free(line);
  return 0;
}
