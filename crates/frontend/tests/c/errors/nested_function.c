int f(int x) {
  int inner(int y) { return y ? x + y : f(x); }
  return inner(2);
}
int g(void) {
  void out(void) { goto end; }
  out();
end:
  return 0;
}
int ok;
