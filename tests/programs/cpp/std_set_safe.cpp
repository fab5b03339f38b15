//@ verdict: safe
//@ engines: portfolio
#include <cassert>
#include <set>
int main() {
  std::set<int> s;
  s.insert(5); s.insert(5); s.insert(2);
  assert(s.size() == 2);
  assert(s.count(2) == 1 && *s.begin() == 2);
}
