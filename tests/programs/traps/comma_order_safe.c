//@ verdict: safe
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  int x = 1;
  int y = (x++, x);
  if (y != 2) reach_error();
  return 0;
}
