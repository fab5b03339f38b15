//@ verdict: safe
//@ engines: portfolio
#include <cassert>
extern "C" int __VERIFIER_nondet_int();
int f(int x) {
  if (x > 10) throw x;
  if (x < 0) throw 'c';
  return x;
}
int main() {
  int got = -1;
  try {
    got = f(__VERIFIER_nondet_int());
  } catch (int) {
    got = 11;
  } catch (char) {
    got = 12;
  }
  assert(got >= 0 && got <= 12);
}
