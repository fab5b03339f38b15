//@ verdict: unsafe
//@ engines: portfolio
#include <algorithm>
#include <cassert>
#include <vector>

int main() {
  std::vector<int> v;
  for (int i = 0; i < 5; i++)
    v.push_back(10 - i * i);
  std::sort(v.begin(), v.end());
  for (unsigned i = 1; i < v.size(); i++)
    assert(v[i - 1] <= v[i]);
  v.erase(v.begin());
  assert(v.front() == 1 && v.size() == 5);
}
