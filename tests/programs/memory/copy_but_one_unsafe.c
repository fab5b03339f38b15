//@ verdict: unsafe
//@ engines: portfolio
// Three arrays: all cells but one go from the first to the last by way of the second; the one that is left goes there at once.
extern void abort(void);
void reach_error(void) { abort(); }
int __VERIFIER_nondet_int(void);
int first[50000], second[50000], last[50000];
int main(void) {
  int one = 30000;
  for (int i = 0; i < 50000; i++) {
    first[i] = __VERIFIER_nondet_int();
    second[i] = __VERIFIER_nondet_int();
    last[i] = __VERIFIER_nondet_int();
  }
  for (int i = 0; i < 50000; i++)
    if (i != one)
      second[i] = first[i];
  for (int i = 0; i < 50000; i++)
    if (i != one)
      last[i] = second[i];
    else
      last[i] = second[i];
  for (int i = 0; i < 50000; i++)
    if (first[i] != last[i])
      reach_error();
  return 0;
}
