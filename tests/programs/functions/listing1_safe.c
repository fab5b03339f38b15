//@ verdict: safe
// Program P1 of the IPROC paper: inc is called with p = 1 and q >= 1, so its assertion holds and its
// result is not negative.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }
int inc(int p, int q) {
  int r;
  if (!(p >= 0)) reach_error();
  if (p >= 1) r = q + 1; else r = q;
  return r;
}
int main(void) {
  int m = __VERIFIER_nondet_int();
  if (!(m >= 1)) return 0;
  int n = inc(1, m);
  if (!(n >= 0)) reach_error();
  return 0;
}
