//@ verdict: unsafe
//@ engines: impact
//@ property: unreach-call
#include <string.h>
extern void abort(void);
void reach_error(void) { abort(); }
extern unsigned __VERIFIER_nondet_uint(void);
struct pair { int a, b; };
static void put(struct pair *to, const struct pair *from, size_t n) { memcpy(to, from, n); }
int main(void) {
  struct pair x = {1, 2}, y = {3, 4};
  put(&x, &y, sizeof(int));
  if (x.a != 3 || x.b != 4) reach_error();
  return 0;
}
