//@ verdict: safe
//@ engines: portfolio
#include <cassert>
#include <string_view>
int main() {
  std::string_view s = "key=value";
  auto p = s.find('=');
  assert(p == 3);
  assert(s.substr(0, 3) == "key");
}
