//@ verdict: safe
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
extern int __VERIFIER_nondet_int(void);
int one(void) { return 1; }
int two(void) { return 2; }
int main(void) {
  int (*f)(void) = __VERIFIER_nondet_int() ? one : two;
  if (f() > 2) reach_error();
  return 0;
}
