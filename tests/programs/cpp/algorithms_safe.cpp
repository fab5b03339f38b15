//@ verdict: safe
//@ engines: portfolio
#include <cassert>
#include <vector>
#include <algorithm>
#include <numeric>
int main() {
  std::vector<int> v{4, 1, 3};
  assert(*std::max_element(v.begin(), v.end()) == 4);
  assert(std::accumulate(v.begin(), v.end(), 0) == 8);
  assert(std::find(v.begin(), v.end(), 3) - v.begin() == 2);
  assert(std::count_if(v.begin(), v.end(), [](int x) { return x > 2; }) == 2);
}
