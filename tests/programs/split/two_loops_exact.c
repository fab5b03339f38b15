//@ verdict: safe
//@ engines: split
// Two loops whose exits are equations: c == i at both heads.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  int i = 0, c = 0;
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) { i++; c++; }
  }
  while (i != 0) {
    if (__VERIFIER_nondet_int()) { i--; c--; }
  }
  if (c != 0) reach_error();
  return 0;
}
