//@ verdict: safe
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
#pragma pack(push)
#pragma pack(1)
struct fields { signed a : 25; unsigned b : 24; unsigned c : 7; };
#pragma pack(pop)
static struct fields g = {-2144, 2096, 5};
static struct fields *p = &g;
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned k = __VERIFIER_nondet_uint();
  if (k > 6) return 0;
  unsigned char *bytes = (unsigned char *)p;
  unsigned char first = bytes[k];
  if (k == 0 && first != 0xa0 || g.a != -2144 || p->b != 2096 || g.c != 5) reach_error();
  return 0;
}
