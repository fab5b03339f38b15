//@ verdict: safe
//@ engines: portfolio
#include <cassert>
#include <bitset>
int main() { std::bitset<8> b; b.set(3); b[5] = true; assert(b.count() == 2 && b.test(3)); }
