//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-memsafety
// Lines are cut at their commas; the bad one has one field more than there is room for.
#include <stdio.h>
#include <string.h>
#define FIELDS 16
static int split(char *line, char **field, int max) {
  int n = 0;
  char *p = line;
  field[n++] = p;
  while (*p) {
    if (*p == ',') {
      *p = 0;
      if (n > max) break;
      field[n++] = p + 1;
    }
    p++;
  }
  return n;
}
int main(void) {
  char line[256]; char *field[FIELDS];
  while (fgets(line, sizeof line, stdin)) {
    int n = split(line, field, FIELDS);
    for (int i = 0; i < n; i++) printf("[%s]", field[i]);
    putchar('\n');
  }
  return 0;
}
