//@ verdict: unsafe
//@ engines: portfolio
#include <cassert>
#include <bitset>
int main() { std::bitset<8> b; b.set(3); b[5] = true; assert(b.count() == 1 && b.test(3)); }
