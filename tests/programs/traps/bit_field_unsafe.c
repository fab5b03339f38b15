//@ verdict: unsafe
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
struct s { unsigned a : 3; signed b : 3; };
int main(void) {
  struct s x;
  x.b = 7;
  if (x.b != 7) reach_error();
  return 0;
}
