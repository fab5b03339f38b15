//@ verdict: unsafe
//@ engines: portfolio
#include <cassert>
extern "C" int __VERIFIER_nondet_int();
struct Shape { virtual int sides() const { return 0; } virtual ~Shape() {} };
struct Square : Shape { int sides() const override { return 4; } };
struct Triangle : Shape { int sides() const override { return 3; } };
int main() {
  int n = __VERIFIER_nondet_int();
  Shape *s = n > 0 ? static_cast<Shape *>(new Square) : static_cast<Shape *>(new Triangle);
  int sides = s->sides();
  delete s;
  assert(sides == (n > 0 ? 4 : 2));
}
