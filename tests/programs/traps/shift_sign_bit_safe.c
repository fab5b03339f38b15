//@ verdict: safe
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  int x = 1 << 31;
  if (x > 0) reach_error();
  return 0;
}
