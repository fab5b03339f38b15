//@ verdict: safe
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
struct a { int x; };
struct b { struct a base; int z; };
int main(void) {
  struct b s = { { 1 }, 3 };
  struct a *p = &s.base;
  ((struct b *)p)->z = 4;
  if (s.z != 4) reach_error();
  return 0;
}
