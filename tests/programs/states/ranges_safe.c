//@ verdict: safe
//@ engines: impact predabs
// An event-condition-action program over ranges: a is 3 in mode 3, so the error is not reached.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }
int mode = 1, a = 130, b = 5;
int step(int input) {
  if (mode == 3 && a > 9 && b == 7) reach_error();
  if (mode == 1 && input == 2 && a <= 140) { a = (a % 52) + 190; b = 6; mode = 2; return 1; }
  if (mode == 2 && input == 1 && a > 140) { a = ((a * 9) / 10) - 141; b = 7; mode = 4; return 2; }
  if (mode == 4 && input == 3 && 0 < a && a <= 140) { a = a / 15; mode = 3; return 3; }
  if (mode == 3 && input == 4) { a = a - 100; b = 5; mode = 1; return 4; }
  return 0;
}
int main(void) {
  while (1) {
    int input = __VERIFIER_nondet_int();
    if (input != 1 && input != 2 && input != 3 && input != 4) return 0;
    step(input);
  }
}
