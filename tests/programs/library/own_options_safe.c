//@ verdict: safe
//@ engines: portfolio
// The outside does not choose the options of a program's own making.
#include <unistd.h>
extern void reach_error(void);

int main(void) {
  char *v[] = {"p", "-a", "-b", "5", 0};
  int c, n = 0;
  while ((c = getopt(4, v, "ab:")) != -1) n++;
  if (n != 2 || optind != 4) reach_error();
  return 0;
}
