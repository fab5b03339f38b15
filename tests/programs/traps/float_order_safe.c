//@ verdict: safe
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
extern float __VERIFIER_nondet_float(void);

int main(void) {
  float x = __VERIFIER_nondet_float(), y = __VERIFIER_nondet_float();
  if (x < y && y < -x && !(x < -0.0f))
    reach_error();
  float large = 1e8f;
  if (large + 1.0f != large)
    reach_error();
  return 0;
}
