//@ verdict: unsafe
//@ engines: portfolio
extern "C" int __VERIFIER_nondet_int();
#include <cassert>

struct Animal {
  virtual ~Animal() {}
};
struct Dog : Animal {
  int age = 3;
};
struct Puppy : Dog {};
struct Cat : Animal {};

int main() {
  int kind = __VERIFIER_nondet_int();
  Animal *a;
  if (kind == 0)
    a = new Puppy;
  else
    a = new Cat;
  Dog *d = dynamic_cast<Dog *>(a);
  assert(d == nullptr);
  if (d)
    assert(d->age == 3);
  delete a;
}
