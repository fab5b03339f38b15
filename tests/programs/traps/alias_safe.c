//@ verdict: safe
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a = 1, b = 2;
  int *p = __VERIFIER_nondet_int() ? &a : &b;
  *p = 3;
  if (a + b < 4) reach_error();
  return 0;
}
