//@ verdict: safe
//@ engines: portfolio
#include <limits.h>
extern void abort(void);
void reach_error(void) { abort(); }
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int(), r, o;
  unsigned char c;
  long wide;
  o = __builtin_add_overflow(x, 1, &r);
  CHECK(o == (x == INT_MAX) && (o || r == x + 1));
  CHECK(__builtin_mul_overflow(16, 16, &c) && c == 0);
  CHECK(!__builtin_smull_overflow(INT_MAX, 2, &wide) && wide == 4294967294L);
  CHECK(__builtin_sub_overflow_p(0u, 1u, 0u) && !__builtin_sub_overflow_p(0u, 1u, 0));
  return 0;
}
