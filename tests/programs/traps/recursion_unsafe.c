//@ verdict: unsafe
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
extern int __VERIFIER_nondet_int(void);
int down(int n) {
  if (n <= 0) return 1;
  return down(n - 1);
}
int main(void) {
  if (down(__VERIFIER_nondet_int()) != 0) reach_error();
  return 0;
}
