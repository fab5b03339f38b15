//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-memsafety
// The product of two small matrices; the bad one takes the wrong bound.
#define ROWS 3
#define INNER 4
#define COLUMNS 2
int main(void) {
  int a[ROWS][INNER], b[INNER][COLUMNS], c[ROWS][COLUMNS];
  for (int i = 0; i < ROWS; i++)
    for (int k = 0; k < INNER; k++) a[i][k] = i + k;
  for (int k = 0; k < INNER; k++)
    for (int j = 0; j < COLUMNS; j++) b[k][j] = k - j;
  for (int i = 0; i < INNER; i++)
    for (int j = 0; j < COLUMNS; j++) {
      c[i][j] = 0;
      for (int k = 0; k < INNER; k++) c[i][j] += a[i][k] * b[k][j];
    }
  return c[0][0];
}
