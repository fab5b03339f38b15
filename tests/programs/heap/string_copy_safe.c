//@ verdict: safe
//@ engines: portfolio
//@ property: valid-memsafety
// A copy into a buffer of the right length; the bad one forgets the terminator.
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
static unsigned length(const char *s) {
  unsigned n = 0;
  while (s[n]) n++;
  return n;
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 1000) return 0;
  char *s = malloc(n);
  for (int i = 0; i < n - 1; i++) s[i] = __VERIFIER_nondet_char();
  s[n - 1] = 0;
  char *copy = malloc(length(s) + 1);
  unsigned i = 0;
  while (s[i]) {
    copy[i] = s[i];
    i++;
  }
  copy[i] = 0;
  free(copy);
  free(s);
  return 0;
}
