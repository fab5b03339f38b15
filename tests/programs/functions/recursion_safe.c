//@ verdict: safe
//@ engines: all except impact, split: functions are inlined, recursion is refused
extern void abort(void);
void reach_error(void) { abort(); }
extern int __VERIFIER_nondet_int(void);
int down(int n) {
  if (n <= 0) return 0;
  return down(n - 1);
}
int main(void) {
  int r = down(__VERIFIER_nondet_int());
  if (r != 0) reach_error();
  return 0;
}
