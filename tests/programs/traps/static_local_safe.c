//@ verdict: safe
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
int next(void) { static int n = 0; return ++n; }
int main(void) {
  next();
  if (next() != 2) reach_error();
  return 0;
}
