int f(void) {
  int x = 1
  x = 2;
  y = 3;
  return x +;
}
int g( { }
int ok;
