//@ verdict: safe
//@ engines: portfolio
#include <signal.h>
extern void abort(void);
void reach_error(void) { abort(); }
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

static int seen;
static void handler(int s) { seen = s; }
int main(void) {
  CHECK(signal(SIGUSR1, SIG_IGN) == SIG_DFL);
  raise(SIGUSR1);
  CHECK(seen == 0);
  return 0;
}
