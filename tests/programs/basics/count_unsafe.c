//@ verdict: unsafe
//@ engines: all
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  int x = 0, y = 0;
  while (x < 5) {
    x++;
    y += 2;
  }
  if (y == 10) reach_error(); //~ violated
  return 0;
}
