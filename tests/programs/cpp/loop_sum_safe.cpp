//@ verdict: safe
//@ engines: portfolio
#include <cassert>
extern "C" int __VERIFIER_nondet_int();
class Counter {
  int value = 0;
 public:
  void add(int d) { value += d; }
  int get() const { return value; }
};
int main() {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 1000) return 0;
  Counter c;
  for (int i = 0; i < n; i++) c.add(2);
  assert(c.get() == 2 * n);
}
