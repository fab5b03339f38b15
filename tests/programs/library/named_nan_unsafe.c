//@ verdict: unsafe
//@ engines: portfolio
// What stands in brackets behind nan belongs to it.
#include <stdlib.h>
extern void reach_error(void);

int main(void) {
  const char *text = "nan(1)x";
  char *end;
  strtod(text, &end);
  if (end - text == 6) reach_error(); //~ violated
  return 0;
}
