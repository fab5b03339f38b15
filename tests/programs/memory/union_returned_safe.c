//@ verdict: safe
//@ engines: all
// A union is returned byte by byte; one of its bytes is a negative character.
extern void reach_error(void);
struct part { long a; signed char b; };
union whole { struct part s; int i; signed char *p; };
static union whole g = {{1, -12}};
static union whole f(void) { return g; }

int main(void) {
  f();
  if (g.s.b != -12) reach_error();
  return 0;
}
