//@ verdict: safe
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  float x = __VERIFIER_nondet_float();
  if (!(x >= -1.0f && x <= 1.0f))
    return 0;
  if (x <= -1e-20f || x >= 1e-20f) {
    float y = x * x;
    if (y == 0.0f)
      reach_error();
  }
  return 0;
}
