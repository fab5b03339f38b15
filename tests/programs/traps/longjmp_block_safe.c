//@ verdict: safe
//@ engines: portfolio
//@ property: valid-deref
// A jump back into a block finds its objects alive.
#include <setjmp.h>
int main(void) {
  jmp_buf b;
  int n = 0, *volatile p = &n;
  {
    int x = 1;
    p = &x;
    if (!setjmp(b))
      longjmp(b, 1);
    n = *p;
  }
  return n - 1;
}
