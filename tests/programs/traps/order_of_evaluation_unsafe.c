//@ verdict: unsafe
//@ engines: portfolio
// Where C leaves the order of evaluation open it is gcc's.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int n, x, place, list[9];
static int seen(int k) { return n = n * 10 + k, k; }
static int *at(int k) { return seen(k), &place; }
static int set(int k) { return x = k; }
static int sum(int a, int b, int c) { return a + b * 2 + c * 3; }
struct S { int a, b, c; };
int main(void) {
  int k = __VERIFIER_nondet_int();
  if (k != 3) return 0;
  sum(seen(1), seen(2), seen(k));
  if (n != 123) reach_error(); //~ violated
  n = 0, *at(1) = seen(2), *at(3) = seen(4) + 1, *at(5) += seen(6), list[seen(7)] = list[seen(8)];
  if (n != 12436587) reach_error();
  n = 0;
  struct S s = {.c = seen(1), .a = seen(2), .b = seen(k)};
  if (n != 231 || s.c != 1) reach_error();
  x = 1;
  if (x + set(5) != 10) reach_error();
  x = 1;
  if (x - set(5) != -4 || sum(x, set(7), 0) != 21) reach_error();
  return 0;
}
