//@ verdict: safe
//@ engines: portfolio
#include <cassert>
static int trace = 0;
struct Guard { int id; Guard(int i) : id(i) {} ~Guard() { trace = trace * 10 + id; } };
int main() {
  { Guard a(1); Guard b(2); }
  assert(trace == 21);
}
