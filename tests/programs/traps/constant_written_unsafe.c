//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-deref
// A static constant lies where nothing can be written.
const int table[3] = {1, 2, 3};
const char *names[2] = {"a", "b"};

int main(void) {
  int *p = (int *)table;
  names[1] = "c";
  p[1] = 5; //~ violated
  return 0;
}
