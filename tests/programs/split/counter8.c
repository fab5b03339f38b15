//@ verdict: safe
//@ engines: split
// A counter of 8 bits in 8 variables, one if-then-else a bit; they stay bits.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  int b0 = 0;
  int b1 = 0;
  int b2 = 0;
  int b3 = 0;
  int b4 = 0;
  int b5 = 0;
  int b6 = 0;
  int b7 = 0;
  while (__VERIFIER_nondet_int()) {
    int carry = 1;
    if (carry) { if (b0 == 0) { b0 = 1; carry = 0; } else { b0 = 0; } }
    if (carry) { if (b1 == 0) { b1 = 1; carry = 0; } else { b1 = 0; } }
    if (carry) { if (b2 == 0) { b2 = 1; carry = 0; } else { b2 = 0; } }
    if (carry) { if (b3 == 0) { b3 = 1; carry = 0; } else { b3 = 0; } }
    if (carry) { if (b4 == 0) { b4 = 1; carry = 0; } else { b4 = 0; } }
    if (carry) { if (b5 == 0) { b5 = 1; carry = 0; } else { b5 = 0; } }
    if (carry) { if (b6 == 0) { b6 = 1; carry = 0; } else { b6 = 0; } }
    if (carry) { if (b7 == 0) { b7 = 1; carry = 0; } else { b7 = 0; } }
  }
  if (b0 != 0 && b0 != 1) reach_error();
  if (b1 != 0 && b1 != 1) reach_error();
  if (b2 != 0 && b2 != 1) reach_error();
  if (b3 != 0 && b3 != 1) reach_error();
  if (b4 != 0 && b4 != 1) reach_error();
  if (b5 != 0 && b5 != 1) reach_error();
  if (b6 != 0 && b6 != 1) reach_error();
  if (b7 != 0 && b7 != 1) reach_error();
  return 0;
}
