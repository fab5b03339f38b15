//@ verdict: unsafe
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < -16777217 || n > 16777217)
    return 0;
  float f = n;
  if ((int)f != n)
    reach_error(); //~ violated
  return 0;
}
