//@ verdict: safe
//@ engines: portfolio
//@ property: valid-memsafety
// Matrices whose size is an argument are multiplied; the bad one adds one product too many.
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  if (argc < 2) return 1;
  int n = atoi(argv[1]);
  if (n <= 0 || n > 100) return 1;
  double *a = malloc(n * n * sizeof *a), *b = malloc(n * n * sizeof *b), *c = malloc(n * n * sizeof *c);
  if (!a || !b || !c) { free(a); free(b); free(c); return 1; }
  for (int i = 0; i < n * n; i++) { a[i] = i; b[i] = 2 * i; }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double s = 0;
      for (int k = 0; k < n; k++)
        s += a[i * n + k] * b[k * n + j];
      c[i * n + j] = s;
    }
  printf("%f\n", c[0]);
  free(a); free(b); free(c);
  return 0;
}
