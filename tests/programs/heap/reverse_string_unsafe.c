//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-memsafety
// A string turned round in place; the bad one starts one too far.
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 5000) return 0;
  char *s = malloc(n);
  for (int i = 0; i < n; i++) s[i] = __VERIFIER_nondet_char();
  int i = 0, j = n;
  while (i < j) {
    char c = s[i];
    s[i] = s[j];
    s[j] = c;
    i++;
    j--;
  }
  free(s);
  return 0;
}
