//@ verdict: unsafe
//@ engines: portfolio
// A width bounds the number that is read.
#include <stdio.h>
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int n;
  if (scanf("%2d", &n) == 1 && (n > 98 || n < -9)) reach_error();
  return 0;
}
