//@ verdict: safe
//@ engines: portfolio
#include <cassert>
struct Error { int code; Error(int c) : code(c) {} };
struct Fatal : Error { Fatal() : Error(7) {} };
int main() {
  int seen = 0;
  try {
    throw Fatal();
  } catch (const Error &e) {
    seen = 1;
  } catch (...) {
    seen = 2;
  }
  int wanted = 1;
  try {
    throw Fatal();
  } catch (const Fatal &) {
    wanted = 3;
  } catch (...) {
    wanted = 4;
  }
  assert(seen == 1 && wanted == 3);
}
