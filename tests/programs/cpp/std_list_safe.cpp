//@ verdict: safe
//@ engines: portfolio
#include <cassert>
#include <list>
int main() {
  std::list<int> l;
  l.push_back(1); l.push_back(2); l.push_front(0);
  int k = 0;
  for (int x : l) assert(x == k++);
  assert(k == 3);
}
