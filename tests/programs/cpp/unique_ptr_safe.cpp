//@ verdict: safe
//@ engines: portfolio
#include <cassert>
#include <memory>
int main() {
  std::unique_ptr<int> p(new int(3));
  std::unique_ptr<int> q = std::move(p);
  assert(!p);
  assert(*q == 3);
}
