//@ verdict: safe
//@ engines: portfolio
// Slashes at the end of a name do not count.
#include <libgen.h>
#include <string.h>
extern void reach_error(void);

int main(void) {
  char a[] = "/a/b/", b[] = "a//b";
  if (strcmp(dirname(a), "/a") != 0) reach_error();
  if (strcmp(dirname(b), "a") != 0) reach_error();
  return 0;
}
