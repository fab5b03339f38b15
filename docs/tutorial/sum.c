#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 1000000) return 0;
  int i = 0, sum = 0;
  while (i < n) {
    i++;
    sum += 2;
  }
  assert(sum == 2 * n);
  return 0;
}
