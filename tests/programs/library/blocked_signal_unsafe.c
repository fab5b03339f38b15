//@ verdict: unsafe
//@ engines: portfolio
// A signal that is blocked waits: its handler has not run.
#include <signal.h>
extern void reach_error(void);

static volatile sig_atomic_t seen;
static void handler(int s) { seen = 1; }
int main(void) {
  sigset_t set;
  signal(SIGUSR1, handler);
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigprocmask(SIG_BLOCK, &set, 0);
  raise(SIGUSR1);
  if (!seen) reach_error(); //~ violated
  sigprocmask(SIG_UNBLOCK, &set, 0);
  return 0;
}
