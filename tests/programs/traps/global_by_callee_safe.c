//@ verdict: safe
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
int g;
void inner(void) { g = 2; }
void outer(void) { inner(); }
int main(void) {
  g = 1;
  outer();
  if (g != 2) reach_error();
  return 0;
}
