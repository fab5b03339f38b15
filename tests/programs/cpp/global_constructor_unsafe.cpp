//@ verdict: unsafe
//@ engines: portfolio
#include <cassert>
struct Start { int value; Start(int v) : value(v * 3) {} };
static Start start(21);
int main() { assert(start.value == 42); }
