//@ verdict: safe
//@ engines: portfolio
// A weak symbol that nobody defines has the address null.
extern void reach_error(void);
extern int w(void) __attribute__((weak));
extern int g __attribute__((weak));
int main(void) {
  int present = w != 0;
  if (!w && (w || present))
    if (w || w)
      reach_error();
  return &g == 0;
}
