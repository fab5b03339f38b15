//@ verdict: safe
//@ engines: portfolio
// Exceptions of the library, whose classes the program does not define, are taken by handlers of their bases.
extern "C" int __VERIFIER_nondet_int();
#include <cassert>
#include <stdexcept>

template <class T, int N> class Stack {
  T data[N];
  int top = 0;

public:
  void push(T x) {
    if (top == N)
      throw std::overflow_error("full");
    data[top++] = x;
  }
  int size() const { return top; }
};

int main() {
  Stack<int, 3> s;
  int n = __VERIFIER_nondet_int();
  int pushed = 0;
  try {
    for (int i = 0; i < n; i++) {
      s.push(i);
      pushed++;
    }
  } catch (const std::logic_error &) {
    assert(false);
  } catch (const std::exception &) {
    assert(pushed == 3);
  }
  assert(s.size() == pushed);
}
