//@ verdict: safe
//@ engines: portfolio
#include <cassert>
extern "C" int __VERIFIER_nondet_int(void);
#include <iostream>
int main() { int x = __VERIFIER_nondet_int(); std::cout << "x = " << x << std::endl; assert(x != 5 || x == 5); }
