//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-deref
// A format of scanf that is known only at run time.
#include <stdarg.h>
#include <stdio.h>

static int scan(const char *text, const char *format, ...) {
  va_list ap;
  int r;
  va_start(ap, format);
  r = vsscanf(text, format, ap);
  va_end(ap);
  return r;
}
int main(void) {
  char b[4];
  int n = 0;
  return scan("abcdef 5", "%4[a-f] %*[^0-9]%d", b, &n) != 2 || n != 5;
}
