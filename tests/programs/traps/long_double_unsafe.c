//@ verdict: unsafe
//@ engines: all
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  double x = 1.0L;
  x += 1e-18L;
  if (x == 1.0L) reach_error(); //~ violated
  return 0;
}
