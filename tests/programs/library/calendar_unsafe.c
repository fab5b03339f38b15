//@ verdict: unsafe
//@ engines: portfolio
// Dates of seconds: years with a 29th of February, days before 1970, and any time at all.
#include <time.h>
extern void reach_error(void);

// With parameters no harness is run: a compiled run does not surely show the error.
int main(int argc, char **argv) {
  time_t leap = 68169600, before = -1, now = time(0);
  struct tm *d = gmtime(&leap), e = {0};
  if (d->tm_mon != 1 || d->tm_mday != 29 || d->tm_yday != 59 || d->tm_wday != 2) reach_error();
  d = gmtime(&before);
  if (d->tm_year != 69 || d->tm_yday != 364 || d->tm_sec != 59) reach_error();
  e.tm_year = 100;
  e.tm_mon = 14;
  e.tm_mday = 0;
  if (timegm(&e) != 983318400 || e.tm_mday != 28 || e.tm_mon != 1) reach_error();
  d = gmtime(&now);
  if (d->tm_mon < 0 || d->tm_mon > 10 || d->tm_hour > 23) reach_error(); //~ violated
  return 0;
}
