//@ verdict: safe
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
struct s { int a; int b[2]; };
int main(void) {
  struct s x = { 1, { 2, 3 } }, y;
  y = x;
  x.b[1] = 9;
  if (y.b[1] != 3) reach_error();
  return 0;
}
