//@ verdict: unsafe
//@ engines: portfolio
// What the library throws where it is compiled apart.
extern "C" unsigned __VERIFIER_nondet_uint();
#include <cassert>
#include <stdexcept>
#include <vector>

int main() {
  std::vector<int> v{1, 2, 3};
  unsigned i = __VERIFIER_nondet_uint();
  bool caught = false;
  try {
    int x = v.at(i);
    assert(x == (int)i + 1);
  } catch (const std::out_of_range &e) {
    caught = true;
  }
  assert(!caught);
}
