//@ verdict: safe
//@ engines: portfolio
#include <stdarg.h>
extern void abort(void);
void reach_error(void) { abort(); }
struct pair { int a; long b; };
static long sum(int n, ...) {
  va_list list, copy;
  va_start(list, n);
  va_copy(copy, list);
  long total = va_arg(list, int);
  total += va_arg(list, long);
  if (va_arg(list, double) != 2.5) total += 100;
  struct pair p = va_arg(list, struct pair);
  total += p.a + p.b + va_arg(copy, int);
  va_end(copy);
  va_end(list);
  return total;
}
int main(void) {
  struct pair p = {10, 20};
  if (sum(4, 1, 2L, 2.5, p) != 34) reach_error();
  return 0;
}
