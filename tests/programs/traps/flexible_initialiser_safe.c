//@ verdict: safe
//@ engines: portfolio
// The elements of a flexible array member come from the initialiser; sizeof does not count them.
extern void reach_error(void);
static struct { int n; char s[]; } t = {2, "abc"};
int main(void) {
  if (t.s[t.n] != 99 || sizeof t != 4)
    reach_error();
  return 0;
}
