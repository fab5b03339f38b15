//@ verdict: safe
//@ engines: portfolio
// A static initialiser reads the initial value of another constant.
extern void reach_error(void);
static const int k = 5;
static const double d = 2.5;
static const struct { int a[2]; } s = {{1, 2}};
static int j = k + 1, t[2] = {k, "abc"[1]}, u = s.a[1];
static double e = d * 2;
int main(void) {
  if (j != 6 || t[0] != 5 || t[1] != 98 || u != 2 || e != 5.0)
    reach_error();
  return 0;
}
