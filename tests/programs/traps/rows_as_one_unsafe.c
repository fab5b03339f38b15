//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-deref
// A pointer to the first element of the first row walks over all rows.
int main(void) {
  int a[2][3];
  int *p = &a[0][0];
  for (int i = 0; i < 7; i++) p[i] = i;
  return a[1][2] != 5;
}
