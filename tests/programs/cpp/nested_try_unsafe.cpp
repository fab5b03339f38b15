//@ verdict: unsafe
//@ engines: portfolio
#include <cassert>
int main() {
  int level = 0;
  try {
    try {
      throw 1;
    } catch (int) {
      level = 1;
      level = 3;
    }
  } catch (...) {
    level += 1;
  }
  assert(level == 2);
}
