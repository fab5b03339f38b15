//@ verdict: unsafe
//@ engines: portfolio
#include <cassert>
#include <optional>
extern "C" int __VERIFIER_nondet_int();
int main() {
  int x = __VERIFIER_nondet_int();
  if (x < 0 || x > 100) return 0;
  std::optional<int> half;
  if (x > 50) half.emplace(x - 50);
  if (half.has_value()) assert(*half + 50 == x + 2);
}
