//@ verdict: safe
// A product of words that wrap around, multiplied out.
extern void abort(void);
void reach_error(void) { abort(); }
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
  if ((a - b) * (a + b) != a * a - b * b)
    reach_error();
  return 0;
}
