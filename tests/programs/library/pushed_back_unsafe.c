//@ verdict: unsafe
//@ engines: portfolio
// What was pushed back is read first, whichever function reads.
#include <stdio.h>
extern void reach_error(void);

int main(void) {
  char c = 0;
  ungetc('x', stdin);
  if (fread(&c, 1, 1, stdin) != 1) return 0;
  if (c != 'y') reach_error(); //~ violated
  return 0;
}
