//@ verdict: unsafe
//@ engines: portfolio
#include <cassert>
struct Item { static int made; Item() { made++; } };
int Item::made = 1;
int main() {
  Item a, b, c;
  assert(Item::made == 3);
}
