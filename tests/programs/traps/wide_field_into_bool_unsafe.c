//@ verdict: unsafe
//@ engines: portfolio
// 1 + (2^37 - 1) is zero in the 37 bits in which gcc computes, before it becomes a truth value.
extern void reach_error(void);
struct fields {
  unsigned long long f : 37;
};
int main(void) {
  struct fields s = {0};
  _Bool b = 1;
  b += ~s.f;
  if (b != 1)
    reach_error();
  return 0;
}
