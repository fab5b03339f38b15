//@ verdict: unsafe
//@ engines: portfolio
// Members after one of variable length lie behind it.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int sum(int n) {
  struct {
    char head;
    int many[n];
    short last;
  } s, t;
  s.head = 1;
  for (int i = 0; i < n; i++) s.many[i] = i;
  s.last = 7;
  t = s;
  if (sizeof(s) != 4 + 4 * (n + 1)) reach_error();
  return t.many[n - 1] + t.last + t.head;
}
int main(void) {
  if (sum(2) != 9) reach_error();
  if (sum(3) != 11) reach_error(); //~ violated
  return 0;
}
