//@ verdict: unsafe
//@ engines: portfolio
//@ property: memsafety
// Functions of the library have addresses under the names of builtins too.
int main(void) {
  void (*end)(void *) = __builtin_free;
  char *p = __builtin_malloc(1);
  end(p);
  *p = 1; //~ violated
  return 0;
}
