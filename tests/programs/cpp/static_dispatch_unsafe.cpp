//@ verdict: unsafe
//@ engines: portfolio
#include <cassert>
template <class D> struct Counter { int n = 0; void inc() { n += static_cast<D *>(this)->step(); } };
struct Two : Counter<Two> { int step() { return 2; } };
int main() { Two t; for (int i = 0; i < 4; i++) t.inc(); assert(t.n == 4); }
