//@ verdict: safe
//@ engines: portfolio
// Static objects end after main returns, the last made first; so does that of a function, if it was made.
#include <cassert>
static int ended;
struct Counted {
  int place;
  explicit Counted(int p) : place(p) {}
  ~Counted() {
    assert(ended == place);
    ended++;
  }
};
static Counted first(2), second(1);
static void inside() { static Counted local(0); }
int main() {
  inside();
  return 0;
}
