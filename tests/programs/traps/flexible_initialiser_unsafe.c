//@ verdict: unsafe
//@ engines: portfolio
// The elements of a flexible array member come from the initialiser; sizeof does not count them.
extern void reach_error(void);
static struct { int n; char s[]; } t = {2, "abc"};
int main(void) {
  if (t.s[t.n] != 100 || sizeof t != 4)
    reach_error(); //~ violated
  return 0;
}
