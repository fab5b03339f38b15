//@ verdict: safe
//@ engines: all except trace, whale: they do not look for facts about all cells of an array
//@ no-aids: unknown impact split predabs
extern void abort(void);
void reach_error(void) { abort(); }
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 1000)
    return 0;
  int *squares = malloc(n * sizeof(int));
  int *copy = malloc(n * sizeof(int));
  int i;
  for (i = 0; i < n; i++)
    squares[i] = i + 7;
  for (i = 0; i < n; i++)
    copy[i] = squares[i];
  for (i = 0; i < n; i++)
    if (copy[i] != squares[i])
      reach_error();
  return 0;
}
