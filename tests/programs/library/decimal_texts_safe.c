//@ verdict: safe
//@ engines: portfolio
// Base ten at the ends of its range.
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
extern void reach_error(void);

int main(void) {
  char *end;
  if (strtol("-9223372036854775808x", &end, 10) != LONG_MIN || *end != 'x' || errno != 0) reach_error();
  if (strtol("9223372036854775808", 0, 10) != LONG_MAX || errno != ERANGE) reach_error();
  if (strtoll(" +92233720368547758070", &end, 10) != LLONG_MAX || *end != 0) reach_error();
  if (atoi("\t-17.5") != -17 || atol("") != 0) reach_error();
  return 0;
}
