//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-memsafety
// One string is appended to another by way of copies of the pointers; the bad buffer is one too short.
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
static char *append(char *s, const char *t) {
  char *start = s;
  while (*s) s++;
  while ((*s++ = *t++) != 0) ;
  return start;
}
int main(void) {
  int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) n = 1;
  if (m < 2 || m > 100000) m = 2;
  int room = n + m - 2;
  char *t = __builtin_alloca(m), *s = __builtin_alloca(room);
  for (int i = 0; i < n - 1; i++) s[i] = __VERIFIER_nondet_char();
  for (int i = 0; i < m - 1; i++) t[i] = __VERIFIER_nondet_char();
  s[n - 1] = 0;
  t[m - 1] = 0;
  append(s, t);
  return 0;
}
