//@ verdict: safe
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  float x = __VERIFIER_nondet_float();
  int nan = x != x;
  int inf = !nan && x - x != x - x;
  if (inf && x < 3.4e38f && x > -3.4e38f)
    reach_error();
  return 0;
}
