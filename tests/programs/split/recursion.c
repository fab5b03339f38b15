//@ verdict: unknown FIXME recursion is refused by this engine
//@ engines: split
// Recursion is refused with the reason.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }
int down(int n) { if (n <= 0) return 0; return down(n - 1); }
int main(void) {
  if (down(__VERIFIER_nondet_int()) != 0) reach_error();
  return 0;
}
