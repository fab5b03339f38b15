//@ verdict: unsafe
//@ engines: portfolio
// Destructors run after main returns, the last first.
extern void reach_error(void);
static int n;
__attribute__((destructor(101))) static void last(void) {
  if (n != 2)
    reach_error(); //~ violated
}
__attribute__((destructor(200))) static void first(void) { n++; }
int main(void) { return 0; }
