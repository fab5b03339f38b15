//@ verdict: safe
//@ engines: portfolio
#include <cassert>
#include <variant>
int main() {
  std::variant<int, char> v = 3;
  assert(v.index() == 0);
  v = 'x';
  assert(std::get<char>(v) == 'x');
}
