//@ verdict: safe
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
int n;
int f(void) { n++; return 1; }
int main(void) {
  if (0 && f()) { }
  if (n != 0) reach_error();
  return 0;
}
