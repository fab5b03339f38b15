//@ verdict: unsafe
//@ engines: portfolio
#include <cassert>
#include <deque>
int main() {
  std::deque<int> d;
  d.push_back(2); d.push_front(1);
  assert(d.front() == 2 && d.back() == 2);
}
