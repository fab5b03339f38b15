//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-deref
// A goto over a declaration leads into its block: the object lives until its end.
int main(void) {
  int n = 0, *p = &n;
  goto in;
  {
    int x;
  in:
    x = 3;
    p = &x;
  }
  n = *p; //~ violated
  return n;
}
