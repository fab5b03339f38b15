//@ verdict: safe
//@ engines: all except trace: float arithmetic is a function to its solver
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  long double x = 1.0L;
  if (x + 1e-18L == 1.0L) reach_error();
  return 0;
}
