//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-deref
// A jump over a declaration leads into its block: the object lives until its end.
int main(void) {
  int n = 0, *p = &n;
  switch (n) {
    int x;
  case 0:
    x = 3;
    p = &x;
  }
  n = *p; //~ violated
  return n;
}
