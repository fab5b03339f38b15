//@ verdict: safe
//@ engines: portfolio
#include <cassert>
struct Vec { int x, y; Vec operator+(const Vec &o) const { return Vec{x + o.x, y + o.y}; } };
int main() {
  Vec a{1, 2}, b{3, 4};
  Vec c = a + b;
  assert(c.x == 4 && c.y == 6);
}
