//@ verdict: unsafe
//@ engines: portfolio
#include <cassert>
extern "C" int __VERIFIER_nondet_int();
void set(int x) { x = 5; }
int main() {
  int a = 1;
  set(a);
  assert(a == 5);
}
