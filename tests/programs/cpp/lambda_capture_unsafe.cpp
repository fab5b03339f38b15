//@ verdict: unsafe
//@ engines: portfolio
#include <cassert>
int main() {
  int count = 0;
  auto bump = [count]() mutable { count += 2; };
  bump();
  bump();
  assert(count == 4);
}
