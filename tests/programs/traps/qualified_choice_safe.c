//@ verdict: safe
//@ engines: portfolio
// `_Generic` tells pointers to const from others.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

#define KIND(x) _Generic((x), char *: 1, const char *: 2, default: 3)
typedef const char *Text;
int main(void) {
  const char *p = "a";
  Text t = p;
  char a[2];
  if (KIND(t) != 2 || KIND(a) != 1 || KIND("b") != 1 || KIND(0) != 3) reach_error();
  if (__builtin_types_compatible_p(Text, char *)) reach_error();
  if (KIND(p) != 2) reach_error();
  return 0;
}
