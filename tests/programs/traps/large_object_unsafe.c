//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-deref
//@ options: --32
// Objects may be large on a 32-bit machine, too.
void *malloc(unsigned);
void free(void *);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n < 300000 || n > 400000)
    return 0;
  char *p = malloc(n);
  p[n] = 1; //~ violated
  free(p);
  return 0;
}
