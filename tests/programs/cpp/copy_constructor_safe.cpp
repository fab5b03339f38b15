//@ verdict: safe
//@ engines: portfolio
#include <cassert>
struct Buf { int *p; int n; Buf(int n) : p(new int[n]()), n(n) {} Buf(const Buf &o) : p(new int[o.n]), n(o.n) { for (int i = 0; i < n; i++) p[i] = o.p[i]; } ~Buf() { delete[] p; } };
int main() {
  Buf a(3); a.p[1] = 7;
  Buf b(a); b.p[1] = 8;
  assert(a.p[1] == 7);
}
