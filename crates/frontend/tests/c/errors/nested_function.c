int f(int x) {
  int inner(int y) { return x + y; }
  return inner(2);
}
int ok;
