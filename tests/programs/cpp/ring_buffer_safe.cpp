//@ verdict: safe
//@ engines: portfolio
#include <cassert>
#include <array>
#include <cstddef>
template <class T, std::size_t N> struct Ring { std::array<T, N> a{}; std::size_t h = 0, n = 0;
  void put(T x) { a[(h + n) % N] = x; if (n < N) n++; else h = (h + 1) % N; }
  T get() { T x = a[h]; h = (h + 1) % N; n--; return x; } };
int main() { Ring<int, 3> r; for (int i = 0; i < 5; i++) r.put(i); assert(r.get() == 2); assert(r.n == 2); }
