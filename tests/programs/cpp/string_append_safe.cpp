//@ verdict: safe
//@ engines: portfolio
// Beyond what fits into the object itself: memory is allocated and the text copied.
#include <cassert>
#include <string>

int main() {
  std::string s = "abc";
  s += 'd';
  assert(s.size() == 4);
  std::string t = s + "efghijklmnopqrst";
  assert(t.length() == 20);
  assert(t == "abcdefghijklmnopqrst");
  assert(t.find('e') == 4);
}
