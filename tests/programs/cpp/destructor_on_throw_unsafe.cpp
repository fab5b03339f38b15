//@ verdict: unsafe
//@ engines: portfolio
#include <cassert>
static int open_files = 0;
struct File { File() { open_files++; } ~File() { open_files++; } };
void f() { File x; throw 1; }
int main() {
  try { f(); } catch (int) {}
  assert(open_files == 0);
}
