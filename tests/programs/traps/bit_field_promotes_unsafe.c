//@ verdict: unsafe
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
struct s { unsigned a : 3; };
int main(void) {
  struct s x = { 1 };
  if (x.a - 2 < 0) reach_error();
  return 0;
}
