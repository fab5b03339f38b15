//@ verdict: safe
//@ engines: portfolio
#include <cassert>
extern "C" int __VERIFIER_nondet_int(void);
struct Shape { virtual int area() const = 0; virtual ~Shape() {} };
struct Square : Shape { int s; explicit Square(int s) : s(s) {} int area() const override { return s * s; } };
struct Rect : Shape { int w, h; Rect(int w, int h) : w(w), h(h) {} int area() const override { return w * h; } };
int main() {
  int k = __VERIFIER_nondet_int();
  if (k < 1 || k > 50) return 0;
  Square a(k); Rect b(k, k);
  const Shape *s[2] = {&a, &b};
  assert(s[0]->area() == s[1]->area());
}
