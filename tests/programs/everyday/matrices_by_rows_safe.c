//@ verdict: safe
//@ engines: portfolio
//@ property: valid-memsafety
// A product of matrices, each row a block of its own; the bad one takes columns for rows.
#include <stdio.h>
#include <stdlib.h>
static double **make(int rows, int columns) {
  double **m = malloc(rows * sizeof *m);
  if (!m) return NULL;
  for (int i = 0; i < rows; i++) {
    m[i] = calloc(columns, sizeof **m);
    if (!m[i]) {
      while (i-- > 0) free(m[i]);
      free(m);
      return NULL;
    }
  }
  return m;
}
static void drop(double **m, int rows) {
  for (int i = 0; i < rows; i++) free(m[i]);
  free(m);
}
int main(void) {
  int n, m, k;
  if (scanf("%d%d%d", &n, &m, &k) != 3) return 1;
  if (n < 1 || m < 1 || k < 1 || n > 50 || m > 50 || k > 50) return 1;
  double **a = make(n, m), **b = a ? make(m, k) : NULL, **c = b ? make(n, k) : NULL;
  if (!c) {
    if (b) drop(b, m);
    if (a) drop(a, n);
    return 1;
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) a[i][j] = i + j;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < k; j++) b[i][j] = i * j;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < k; j++) {
      double sum = 0;
      for (int l = 0; l < m; l++) sum += a[i][l] * b[l][j];
      c[i][j] = sum;
    }
  printf("%f\n", c[0][0]);
  drop(a, n);
  drop(b, m);
  drop(c, n);
  return 0;
}
