//@ verdict: safe
//@ engines: portfolio
#include <stdlib.h>
extern void abort(void);
void reach_error(void) { abort(); }
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

static int count;
static void first(void) { CHECK(count == 1); }
static void last(void) { count = 1; }
int main(void) {
  atexit(first);
  atexit(last);
  return 0;
}
