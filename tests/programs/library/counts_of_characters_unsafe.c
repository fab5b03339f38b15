//@ verdict: unsafe
//@ engines: portfolio
// `%n` stores in an object of the size that its length says, no more.
#include <stdio.h>
extern void abort(void);
void reach_error(void) { abort(); }
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

int main(void) {
  signed char c[2] = {7, 7};
  short h[2] = {7, 7};
  long l = -1;
  int x;
  printf("abc%hhn%hn%ln", &c[0], &h[0], &l);
  CHECK(c[0] == 3 && c[1] == 0 && h[0] == 3 && h[1] == 7 && l == 3);
  sscanf("12x", "%d%hhn%hn%ln", &x, &c[0], &h[0], &l);
  CHECK(c[0] == 2 && c[1] == 7 && h[0] == 2 && h[1] == 7 && l == 2);
  return 0;
}
