//@ verdict: unsafe
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
extern float __VERIFIER_nondet_float(void);

int main(void) {
  float x = __VERIFIER_nondet_float(), y = __VERIFIER_nondet_float();
  if (!(x < y) && !(y <= x))
    reach_error(); //~ violated
  return 0;
}
