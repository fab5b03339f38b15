//@ verdict: unsafe
//@ engines: portfolio
#include <stdlib.h>
#include <string.h>
extern void abort(void);
void reach_error(void) { abort(); }
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

int main(void) {
  if (setenv("CRAIG_A", "one", 1) == 0) {
    char *a = getenv("CRAIG_A");
    CHECK(a != 0 && strcmp(a, "two") == 0); //~ violated
  }
  return 0;
}
