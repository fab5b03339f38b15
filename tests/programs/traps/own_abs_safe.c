//@ verdict: safe
//@ engines: portfolio
// gcc computes abs itself, also where the program defines one; C leaves it open. Both are looked at.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int abs(int);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < -5 || x > 5) return 0;
  if (abs(x) > 7) reach_error();
  return 0;
}
int abs(int x) { return 7; }
