//@ verdict: unsafe
//@ engines: portfolio
// What the outside has said once it does not take back.
#define _GNU_SOURCE
#include <unistd.h>
extern void reach_error(void);

int main(void) {
  if (isatty(0) == isatty(1)) reach_error(); //~ violated
  if (gethostid() != gethostid() || getpgrp() != getpgrp()) reach_error();
  return 0;
}
