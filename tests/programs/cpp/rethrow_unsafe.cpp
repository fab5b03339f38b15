//@ verdict: unsafe
//@ engines: portfolio
#include <cassert>
extern "C" int __VERIFIER_nondet_int(void);
#include <stdexcept>
struct E : std::runtime_error { int code; E(int c) : std::runtime_error("e"), code(c) {} };
int g(int x) { try { if (x > 5) throw E(x); return 0; } catch (const E &) { throw; } }
int main() {
  int x = __VERIFIER_nondet_int();
  try { g(x); } catch (const E &e) { assert(e.code > 6); }
}
