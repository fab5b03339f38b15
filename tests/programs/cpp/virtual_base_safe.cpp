//@ verdict: safe
//@ engines: portfolio
#include <cassert>
struct V { int v = 1; virtual ~V() {} };
struct L : virtual V { int l = 2; };
struct M : virtual V { int m = 3; };
struct X : L, M { };
int main() {
  X x; L *l = &x; M *m = &x;
  l->v = 9;
  assert(m->v == 9);
}
