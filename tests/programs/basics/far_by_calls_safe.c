//@ verdict: safe
//@ engines: portfolio
// A loop that counts far, each step a call.
extern void reach_error(void);
static unsigned step(unsigned z) {
  unsigned next = z + 2;
  return next;
}
int main(void) {
  unsigned x = 0;
  while (x < 0x0fffffff) {
    unsigned next = step(x);
    x = next;
  }
  if (x % 2 == 1)
    reach_error();
  return 0;
}
