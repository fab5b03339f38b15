//@ verdict: safe
//@ engines: portfolio
#include <cassert>
int main() {
  int level = 0;
  try {
    try {
      throw 1;
    } catch (int) {
      level = 1;
      throw;
    }
  } catch (...) {
    level += 1;
  }
  assert(level == 2);
}
