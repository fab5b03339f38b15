// f: unsafe
struct pair { long a; void *b; };
void f(long x) {
  struct pair p = {x, 0};
  __CPROVER_assert(__CPROVER_forall { int i; (i >= 0 && i < sizeof(p)) ==> ((const unsigned char *)&p)[i] == 0 }, "zero");
}
