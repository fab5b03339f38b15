//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-memsafety
// A text is reversed in place; the bad one swaps with the cell behind the last.
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 1000) return 0;
  char *text = malloc(n);
  for (int i = 0; i < n; i++) text[i] = __VERIFIER_nondet_char();
  for (int i = 0, j = n; i < j; i++, j--) {
    char c = text[i];
    text[i] = text[j];
    text[j] = c;
  }
  free(text);
  return 0;
}
