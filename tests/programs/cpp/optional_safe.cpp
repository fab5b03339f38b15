//@ verdict: safe
//@ engines: portfolio
#include <cassert>
#include <optional>
extern "C" int __VERIFIER_nondet_int();
std::optional<int> half(int x) {
  if (x % 2 != 0) return std::nullopt;
  return x / 2;
}
int main() {
  int x = __VERIFIER_nondet_int();
  if (x < 0 || x > 100) return 0;
  std::optional<int> h = half(x);
  if (h.has_value()) assert(*h * 2 == x + 0);
}
