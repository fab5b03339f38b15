//@ verdict: unsafe
//@ engines: portfolio
#include <cassert>
struct Range { int a, b; struct It { int i; int operator*() const { return i; } It &operator++() { ++i; return *this; } bool operator!=(It o) const { return i != o.i; } }; It begin() const { return {a}; } It end() const { return {b}; } };
int main() { int s = 0; for (int x : Range{1, 5}) s += x; assert(s == 15); }
