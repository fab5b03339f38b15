//@ verdict: safe
//@ engines: all
// Wegner's way of counting bits, with the assertion of the WOLVERINE paper: taking the lowest bit
// away changes the value.
extern void abort(void);
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  unsigned y = x;
  unsigned c = 0;
  while (y != 0) {
    y = y & (y - 1);
    c++;
    if (y == x) {
      reach_error();
    }
  }
  return 0;
}
