//@ verdict: safe
//@ engines: portfolio
// What a program sets it gets back: masks and alarms are no inputs.
#include <sys/stat.h>
#include <syslog.h>
#include <unistd.h>
extern void reach_error(void);

int main(void) {
  umask(022);
  setlogmask(15);
  if (umask(077) != 022 || setlogmask(0) != 15) reach_error();
  if (alarm(0) != 0) reach_error();
  return 0;
}
