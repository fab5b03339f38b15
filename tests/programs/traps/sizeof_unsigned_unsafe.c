//@ verdict: unsafe
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a[4];
  int i = __VERIFIER_nondet_int();
  if (i >= 4) return 0;
  if (i <  sizeof a) { }
  else if (i < 0) reach_error();
  return 0;
}
