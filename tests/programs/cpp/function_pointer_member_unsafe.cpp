//@ verdict: unsafe
//@ engines: portfolio
#include <cassert>
struct M { int (*op)(int, int); };
static int add(int a, int b) { return a + b; }
static int mul(int a, int b) { return a * b; }
int main() {
  M m = { mul };
  assert(m.op(3, 4) == 7);
}
