//@ verdict: unsafe
// P1 with another argument: inc is called with a negative p.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }
int inc(int p, int q) {
  int r;
  if (!(p >= 0)) reach_error(); //~ violated
  if (p >= 1) r = q + 1; else r = q;
  return r;
}
int main(void) {
  int m = __VERIFIER_nondet_int();
  if (!(m >= 1)) return 0;
  int n = inc(1 - m, m);
  if (!(n >= 0)) reach_error();
  return 0;
}
