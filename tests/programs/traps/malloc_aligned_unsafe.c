//@ verdict: unsafe
//@ engines: portfolio
// Memory from malloc is aligned, whatever sizes were asked for before.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

void *malloc(unsigned long);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100) return 0;
  char *odd = malloc(n);
  char *p = malloc(4);
  if ((unsigned long)(p + 4) % 16) reach_error(); //~ violated
  return odd == p;
}
