//@ verdict: safe
//@ engines: portfolio
//@ property: valid-deref
// A null pointer is called.
extern int __VERIFIER_nondet_int(void);
static int one(void) { return 1; }
static int (*table[3])(void) = {one, one, one};

int main(void) {
  unsigned i = __VERIFIER_nondet_int();
  if (i > 2) return 0;
  return table[i]();
}
