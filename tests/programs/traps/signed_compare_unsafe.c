//@ verdict: unsafe
//@ engines: all
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  int a = -1;
  unsigned b = 1;
  if (!(a < b)) reach_error(); //~ violated
  return 0;
}
