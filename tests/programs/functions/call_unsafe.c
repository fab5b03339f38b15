//@ verdict: unsafe
//@ engines: all
extern void abort(void);
void reach_error(void) { abort(); }
extern int __VERIFIER_nondet_int(void);
int clamp(int v) {
  if (v < 0) return 0;
  if (v > 9) return 9;
  return v;
}
int main(void) {
  int a = clamp(__VERIFIER_nondet_int());
  int b = clamp(__VERIFIER_nondet_int());
  if (a + b == 18) reach_error(); //~ violated
  return 0;
}
