//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-memsafety
// Words of a terminated text; the bad one skips the terminator.
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 5000) return 0;
  char *text = malloc(n);
  for (int i = 0; i < n; i++) text[i] = __VERIFIER_nondet_char();
  text[n - 1] = 0;
  char *p = text;
  int words = 0;
  while (*p) {
    while (*p && *p == ' ') p++;
    if (*p && words < 1000) words++;
    while (*p != ' ') p++;
  }
  free(text);
  return words;
}
