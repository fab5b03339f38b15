//@ verdict: safe
//@ engines: portfolio
#include <array>
#include <cassert>
int main() {
  std::array<int, 4> a = {1, 2, 3, 4};
  int sum = 0;
  for (int x : a) sum += x;
  assert(sum == 10);
}
