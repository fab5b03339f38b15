//@ verdict: unsafe
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = 0, c = __VERIFIER_nondet_int();
  int y = c ? x++ : 7;
  if (c && y != 1) reach_error();
  return 0;
}
