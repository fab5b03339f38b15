//@ verdict: safe
//@ engines: all
extern void abort(void);
void reach_error(void) { abort(); }
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = 0;
  int c = __VERIFIER_nondet_int();
  if (c > 0 && ++n) {}
  if (c <= 0 && n != 0) reach_error();
  return 0;
}
