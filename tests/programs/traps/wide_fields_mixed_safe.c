//@ verdict: safe
//@ engines: portfolio
// gcc computes with a signed field of 40 bits and an unsigned one of 37 in 40 bits, with a sign.
extern void reach_error(void);
struct fields {
  long long a : 40;
  unsigned long long b : 37;
};
int main(void) {
  struct fields s = {0xffffffff, 0};
  unsigned long long x = 1;
  x |= ~(s.b + s.a);
  if (x != 0xffffffff00000001)
    reach_error();
  return 0;
}
