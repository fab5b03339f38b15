//@ verdict: safe
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
struct a { int x; int y; };
struct b { struct a base; int z; };
void set(struct a *p) { p->y = 9; }
int main(void) {
  struct b s = { { 1, 2 }, 3 };
  set((struct a *)&s);
  if (s.base.y != 9) reach_error();
  return 0;
}
