//@ verdict: safe
//@ engines: portfolio
#include <cassert>
#include <utility>
struct H { int *p; explicit H(int v) : p(new int(v)) {} H(H &&o) noexcept : p(o.p) { o.p = nullptr; } ~H() { delete p; } H(const H &) = delete; };
int main() {
  H a(4); H b(std::move(a));
  assert(!a.p && *b.p == 4);
}
