// f: unsafe
int __CPROVER_uninterpreted_hash(int x);
void f(int x, int y) {
  __CPROVER_assert(__CPROVER_uninterpreted_hash(x) == __CPROVER_uninterpreted_hash(y), "constant");
}
