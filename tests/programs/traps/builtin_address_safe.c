//@ verdict: safe
//@ engines: portfolio
//@ property: memsafety
// Functions of the library have addresses under the names of builtins too.
int main(void) {
  void (*end)(void *) = __builtin_free;
  char *p = __builtin_malloc(1);
  *p = 1;
  end(p);
  return 0;
}
