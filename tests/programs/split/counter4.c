//@ verdict: safe
//@ engines: split
// A counter of 4 bits in 4 variables, one if-then-else a bit; they stay bits.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  int b0 = 0;
  int b1 = 0;
  int b2 = 0;
  int b3 = 0;
  while (__VERIFIER_nondet_int()) {
    int carry = 1;
    if (carry) { if (b0 == 0) { b0 = 1; carry = 0; } else { b0 = 0; } }
    if (carry) { if (b1 == 0) { b1 = 1; carry = 0; } else { b1 = 0; } }
    if (carry) { if (b2 == 0) { b2 = 1; carry = 0; } else { b2 = 0; } }
    if (carry) { if (b3 == 0) { b3 = 1; carry = 0; } else { b3 = 0; } }
  }
  if (b0 != 0 && b0 != 1) reach_error();
  if (b1 != 0 && b1 != 1) reach_error();
  if (b2 != 0 && b2 != 1) reach_error();
  if (b3 != 0 && b3 != 1) reach_error();
  return 0;
}
