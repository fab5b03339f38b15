//@ verdict: unsafe
//@ engines: portfolio
#include <cassert>
extern "C" unsigned __VERIFIER_nondet_uint();
int main() {
  unsigned n = __VERIFIER_nondet_uint();
  if (n == 0 || n > 3) return 0;
  int *a = new int[n];
  for (unsigned i = 0; i < n; i++) a[i] = i;
  assert(a[n - 1] == int(n) - 2);
  delete[] a;
}
