//@ verdict: safe
//@ engines: all except trace, whale: they do not look for facts about all cells of an array
//@ no-aids: unknown impact split predabs
extern void abort(void);
void reach_error(void) { abort(); }
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int from[5000], to[5000];
  int i, n = __VERIFIER_nondet_int();
  if (n < 0 || n > 5000)
    return 0;
  for (i = 0; i < n; i++)
    from[i] = __VERIFIER_nondet_int();
  for (i = 0; i < n; i++)
    to[i] = from[i];
  for (i = 0; i < n; i++)
    if (to[i] != from[i])
      reach_error();
  return 0;
}
