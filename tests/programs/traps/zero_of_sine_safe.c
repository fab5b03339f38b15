//@ verdict: safe
//@ engines: portfolio
// The sine of zero is that zero.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

double sin(double), cos(double);
int main(void) {
  if (sin(0.0) != 0 || 1 / sin(-0.0) > 0 || cos(0.0) != 1) reach_error();
  return 0;
}
