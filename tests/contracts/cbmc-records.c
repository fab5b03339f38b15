// f: safe
struct pair { long a; void *b; };
void f(long x) {
  struct pair p = {x, 0}, q = p;
  __CPROVER_assert(p == q, "same");
}
