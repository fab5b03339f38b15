//@ verdict: safe
//@ engines: impact
//@ property: valid-memsafety
//@ no-aids: unknown impact
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
static unsigned length(const char *s) {
  const char *p = s;
  while (*p) p++;
  return p - s;
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1) n = 1;
  char *s = __builtin_alloca(n);
  for (int i = 0; i < n - 1; i++) s[i] = __VERIFIER_nondet_char();
  s[n - 1] = '\0';
  return length(s) > 100;
}
