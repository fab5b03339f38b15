//@ verdict: safe
//@ engines: portfolio
#include <cassert>
struct Item { static int made; Item() { made++; } };
int Item::made = 0;
int main() {
  Item a, b, c;
  assert(Item::made == 3);
}
