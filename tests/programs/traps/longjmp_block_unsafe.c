//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-deref
// A jump back out of a block ends its objects.
#include <setjmp.h>
int main(void) {
  jmp_buf b;
  int n = 0, *volatile p = &n;
  if (!setjmp(b)) {
    int x = 1;
    p = &x;
    longjmp(b, 1);
  }
  n = *p; //~ violated
  return n - 1;
}
