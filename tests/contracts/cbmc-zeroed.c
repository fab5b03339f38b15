// f: safe
struct pair { long a; void *b; };
void f(void) {
  struct pair p = {0, 0};
  __CPROVER_assert(__CPROVER_forall { int i; (i >= 0 && i < sizeof(p)) ==> ((const unsigned char *)&p)[i] == 0 }, "zero");
}
