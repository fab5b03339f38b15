//@ verdict: unsafe
//@ engines: all
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  int a = -7;
  if (a / 2 != -4) reach_error(); //~ violated
  return 0;
}
