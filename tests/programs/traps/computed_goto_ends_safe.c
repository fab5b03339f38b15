//@ verdict: safe
//@ engines: portfolio
//@ property: valid-deref
// A computed goto to a label of the same block ends nothing.
int main(void) {
  static void *const to[] = {&&in, &&out};
  int n = 0, *p = &n;
  {
    int x = 1;
    p = &x;
    goto *to[n];
  in:
    n = *p;
  }
out:
  return n;
}
