//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-memsafety
// A table of blocks, used and freed from the last to the first; the bad one frees its first block twice.
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  int n;
  if (scanf("%d", &n) != 1 || n < 1 || n > 1000) return 1;
  char **table = malloc(n * sizeof *table);
  if (!table) return 1;
  for (int i = 0; i < n; i++) {
    table[i] = malloc(10);
    if (!table[i]) {
      while (i-- > 0) free(table[i]);
      free(table);
      return 1;
    }
    table[i][0] = 0;
  }
  for (int i = 0; i < n; i++) table[i][9] = 'x';
  int i = n;
  while (i > 0) {
    i--;
    puts(table[i]);
    free(table[i == 1 ? 0 : i]);
  }
  free(table);
  return 0;
}
