//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-deref
// What is declared in the head of a loop ends with the loop.
int main(void) {
  int *p = 0, s = 0;
  for (int i = 0; i < 3; i++) {
    p = &i;
  }
  s = *p; //~ violated
  return s;
}
