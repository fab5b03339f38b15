//@ verdict: unsafe
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
static int apply(int (*f)(int), int x) { return f(x); }
int main(void) {
  int seen = 3;
  int nested(int x) { seen += x; return seen; }
  if (apply(nested, 4) != 7 || seen != 3) reach_error(); //~ violated
  return 0;
}
