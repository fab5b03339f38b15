//@ verdict: safe
//@ engines: portfolio
#include <cassert>
struct A { int a; virtual int f() { return a; } };
struct B { int b; virtual int g() { return b; } };
struct C : A, B { int g() override { return a + b; } };
int main() {
  C c;
  c.a = 1;
  c.b = 2;
  B *p = &c;
  assert(p->g() == 3);
}
