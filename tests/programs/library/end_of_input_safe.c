//@ verdict: safe
//@ engines: portfolio
#include <stdio.h>
extern void abort(void);
void reach_error(void) { abort(); }
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

int main(void) {
  if (getchar() == EOF && feof(stdin)) {
    int c = getchar();
    CHECK(c == EOF);
  }
  return 0;
}
