//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-deref
// The initialiser says how long a flexible array member is.
extern int __VERIFIER_nondet_int(void);
struct list { char n; short of[]; };
static struct list numbers = {3, {1, 2, 3}};

int main(void) {
  int i = __VERIFIER_nondet_int();
  if (i < 0 || i > 3) return 0;
  return numbers.of[i]; //~ violated
}
