//@ verdict: safe
//@ engines: portfolio
//@ property: valid-deref
// What is declared in the head of a loop lives as long as the loop.
int main(void) {
  int *p = 0, s = 0;
  for (int i = 0; i < 3; i++) {
    p = &i;
    s = *p;
  }
  return s;
}
