// f: unsafe
int f(int x) {
  int y = x > 3 ? x : 3;
  //@ assert y > 3;
  return y;
}
