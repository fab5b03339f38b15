//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-deref
// A computed goto out of a block ends its objects.
int main(void) {
  static void *const to[] = {&&in, &&out};
  int n = 0, *p = &n;
  {
    int x = 1;
    p = &x;
    goto *to[n + 1];
  in:
    n = *p;
  }
out:
  return *p; //~ violated
}
