//@ verdict: safe
//@ engines: portfolio
#include <cassert>
extern "C" int __VERIFIER_nondet_int();
template <typename T> T largest(T a, T b) { return a < b ? b : a; }
int main() {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  int m = largest(x, y);
  assert(m >= x && m >= y);
}
