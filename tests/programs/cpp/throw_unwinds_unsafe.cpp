//@ verdict: unsafe
//@ engines: portfolio
#include <cassert>
extern "C" int __VERIFIER_nondet_int(void);
static int live;
struct G { G() { live++; } ~G() { live--; } };
int f(int x) { G a; if (x == 3) throw x; G b; return live; }
int main() {
  int x = __VERIFIER_nondet_int();
  try { assert(f(x) == 2); } catch (int e) { assert(e == 4); }
  assert(live == 0);
}
