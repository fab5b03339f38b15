//@ verdict: safe
//@ engines: portfolio
#include <memory>
#include <cassert>
extern "C" int __VERIFIER_nondet_int(void);
struct T { int v; ~T() { v = -1; } };
int main() {
  int n = __VERIFIER_nondet_int();
  std::shared_ptr<T> a(new T{n});
  { std::shared_ptr<T> b = a; assert(a.use_count() == 2); b->v = 5; }
  assert(a.use_count() == 1);
  auto c = std::make_shared<T>(T{7});
  std::weak_ptr<T> w = c;
  c.reset();
  assert(w.expired());
  assert(a->v == 5);
}
