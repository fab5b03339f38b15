//@ verdict: safe
//@ engines: split
// The second loop undoes the first: c counts the rounds of one, then down again.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0) return 0;
  int i = 0, c = 0;
  while (i < n) { i++; c++; }
  while (i > 0) { i--; c--; }
  if (c != 0) reach_error();
  return 0;
}
