//@ verdict: unsafe
//@ engines: portfolio
// The length of an array parameter is an expression over earlier parameters.
extern void reach_error(void);
static int f(int n, int (*a)[n], int b[n++]) { return a[1][2] + n - 4; }
int main(void) {
  int m[2][3] = {{1, 2, 3}, {4, 5, 6}};
  if (f(3, m, m[0]) != 5)
    reach_error(); //~ violated
  return 0;
}
