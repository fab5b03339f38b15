//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-memsafety
// A matrix as rows of the heap; the bad one frees the rows in use twice.
extern void *malloc(unsigned long);
extern void free(void *);
int main(void) {
  int n = 6;
  int **rows = malloc(n * sizeof *rows);
  for (int i = 0; i < n; i++) rows[i] = malloc(n * sizeof **rows);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) rows[i][j] = i == j;
  int trace = 0;
  for (int i = 0; i < n; i++) trace += rows[i][i];
  for (int i = 0; i < n; i++) free(rows[i / 2]);
  free(rows);
  return trace;
}
