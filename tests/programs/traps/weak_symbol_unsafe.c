//@ verdict: unsafe
//@ engines: portfolio
// A weak symbol that nobody defines has the address null.
extern void reach_error(void);
extern int w(void) __attribute__((weak));
extern int g __attribute__((weak));
int main(void) {
  int present = w != 0;
  if (!w && (1 || present))
    if (w || 1)
      reach_error(); //~ violated
  return &g == 0;
}
