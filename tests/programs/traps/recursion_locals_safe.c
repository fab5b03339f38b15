//@ verdict: safe
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
int f(int n) {
  int x = n;
  if (n > 0) f(0);
  return x;
}
int main(void) {
  if (f(1) != 1) reach_error();
  return 0;
}
