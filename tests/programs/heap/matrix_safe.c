//@ verdict: safe
//@ engines: portfolio
//@ property: valid-memsafety
// Rows of a matrix on the heap; the bad one has one column too few.
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
int main(void) {
  int *rows[10];
  for (int i = 0; i < 10; i++) {
    rows[i] = malloc(10 * sizeof(int));
    for (int j = 0; j < 10; j++) rows[i][j] = i * j;
  }
  int trace = 0;
  for (int i = 0; i < 10; i++) trace += rows[i][i];
  for (int i = 0; i < 10; i++) free(rows[i]);
  return trace;
}
