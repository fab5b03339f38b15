// f: safe
void f(void) {
  char *p = __CPROVER_allocate(8, 0);
  __CPROVER_assert(__CPROVER_OBJECT_SIZE(p) == 8, "size");
  __CPROVER_assert(__CPROVER_POINTER_OFFSET(p + 3) == 3, "offset");
  __CPROVER_assert(__CPROVER_same_object(p, p + 3), "object");
  __CPROVER_assert(__CPROVER_r_ok(p + 3, 5) && !__CPROVER_r_ok(p + 3, 6), "room");
  __CPROVER_assert(__CPROVER_DYNAMIC_OBJECT(p), "heap");
}
