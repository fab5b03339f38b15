//@ verdict: unsafe
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
struct s { int a; };
void f(struct s x) { x.a = 5; }
int main(void) {
  struct s y = { 1 };
  f(y);
  if (y.a != 5) reach_error();
  return 0;
}
