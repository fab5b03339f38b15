//@ verdict: unsafe
//@ engines: portfolio
// Signals may arrive at any time, but need not: what the program does without them counts.
#include <signal.h>
extern void reach_error(void);

static volatile sig_atomic_t seen;
static void handler(int s) { seen = s; }
int main(void) {
  signal(SIGUSR1, handler);
  raise(SIGUSR1);
  if (seen != SIGUSR2) reach_error(); //~ violated
  return 0;
}
