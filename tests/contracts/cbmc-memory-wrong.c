// f: unsafe
void f(void) {
  char x, *p = __CPROVER_allocate(8, 0);
  __CPROVER_assert(__CPROVER_same_object(p, &x), "object");
}
