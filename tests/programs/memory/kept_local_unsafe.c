//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-deref
// A local whose address is kept by a global; the bad one looks at that of the call before.
static int *kept;
static int next(int x) {
  int local = x;
  int before = 0;
  if (kept) before = *kept; //~ violated
  kept = &local;
  int sum = before + *kept;
  kept += 0;
  return sum;
}
// With parameters no harness is run: a compiled run does not surely show the error.
int main(int argc, char **argv) {
  next(1);
  return next(2);
}
