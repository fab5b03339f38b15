// f: safe
int f(int x) {
  int y = x > 3 ? x : 4;
  //@ assert y > 3;
  return y;
}
