//@ verdict: safe
//@ engines: portfolio
// Where a file was set to is where it is; how long it is the outside says, but only once.
#include <stdio.h>
#include <unistd.h>
extern void reach_error(void);

int main(void) {
  long first, again, at = lseek(3, 10, SEEK_SET);
  FILE *f = fopen("a", "r");
  if (at != 10 && at != -1) reach_error();
  if (f == 0 || fseek(f, 0, SEEK_END)) return 0;
  first = ftell(f);
  again = ftell(f);
  if (first != again) reach_error();
  return 0;
}
