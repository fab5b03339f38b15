//@ verdict: unsafe
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  int x = -5;
  if (x >> 1 != -2) reach_error();
  return 0;
}
