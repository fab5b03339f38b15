//@ verdict: unsafe
//@ engines: portfolio
// Static objects end after main returns, the last made first; so does that of a function, if it was made.
#include <cassert>
static int ended;
struct Counted {
  int place;
  explicit Counted(int p) : place(p) {}
  ~Counted() {
    assert(ended == place); //~ violated
    ended++;
  }
};
static Counted first(1), second(2);
static void inside() { static Counted local(0); }
int main() {
  inside();
  return 0;
}
