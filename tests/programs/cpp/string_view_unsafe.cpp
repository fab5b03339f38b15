//@ verdict: unsafe
//@ engines: portfolio
#include <cassert>
#include <string_view>
int main() {
  std::string_view s = "key=value";
  auto p = s.find('=');
  assert(p == 4);
  assert(s.substr(0, 3) == "key");
}
