//@ verdict: safe
//@ engines: portfolio
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
extern void abort(void);
void reach_error(void) { abort(); }
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

static int put(char *d, size_t n, const char *format, ...) {
  va_list ap;
  int r;
  va_start(ap, format);
  r = vsnprintf(d, n, format, ap);
  va_end(ap);
  return r;
}
int main(void) {
  char b[32];
  const char *format = "%d|%-4s|%#x|%05ld|%c%%";
  CHECK(put(b, sizeof b, format, -3, "ab", 255, 42L, 'z') == 21);
  CHECK(strcmp(b, "-3|ab  |0xff|00042|z%") == 0);
  return 0;
}
