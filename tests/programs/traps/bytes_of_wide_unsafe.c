//@ verdict: unsafe
//@ engines: portfolio
// The bytes of constants, little-endian.
extern void reach_error(void);
static int one = 0x01020304;
int main(void) {
  char *p = (char *)L"abc", *q = (char *)&one;
  if (p[0] != 98 || p[1] != 0 || p[4] != 98 || q[0] != 4 || q[3] != 1)
    reach_error(); //~ violated
  return 0;
}
