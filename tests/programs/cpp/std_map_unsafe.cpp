//@ verdict: unsafe
//@ engines: portfolio
#include <cassert>
#include <map>
int main() {
  std::map<int, int> m;
  m[3] = 30; m[1] = 10; m[2] = 20;
  assert(m.size() == 3);
  int prev = 0;
  for (auto &p : m) { assert(p.first > prev); prev = p.first; }
  assert(m[2] == 21);
}
