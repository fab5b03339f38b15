//@ verdict: unsafe
//@ engines: portfolio
// A nested function leaves to a label of the function around it; what it would do after is not done.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int first(int wanted) {
  __label__ found;
  int seen = 0;
  void look(int x) {
    if (x == wanted) goto found;
    seen++;
  }
  for (int i = 0; i < 3; i++) look(i);
  return -1;
found:
  return seen;
}
int main(void) {
  int x = __VERIFIER_nondet_int();
  int n = first(x);
  if (n != -1 && n != x) reach_error();
  if (n == 2) reach_error(); //~ violated
  return 0;
}
