//@ verdict: unsafe
//@ engines: portfolio
#include <stdlib.h>
#include <string.h>
extern void abort(void);
void reach_error(void) { abort(); }
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

int main(void) {
  char *a = getenv("CRAIG_A"), *b = getenv("CRAIG_B");
  if (a != 0) CHECK(b != 0 && strcmp(a, b) == 0);
  return 0;
}
