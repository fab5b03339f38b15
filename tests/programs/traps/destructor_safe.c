//@ verdict: safe
//@ engines: portfolio
// Destructors run after main returns, the last first.
extern void reach_error(void);
static int n;
__attribute__((destructor(101))) static void last(void) {
  if (n != 1)
    reach_error();
}
__attribute__((destructor(200))) static void first(void) { n++; }
int main(void) { return 0; }
