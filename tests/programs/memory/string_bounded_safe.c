//@ verdict: safe
//@ engines: portfolio
//@ property: valid-memsafety
// At most n characters are copied, a counter falls as the pointers rise; the bad one copies one more.
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
static void copy(char *to, const char *from, unsigned n) {
  if (n == 0) return;
  do {
    if ((*to++ = *from++) == 0) break;
  } while (--n != 0);
}
int main(void) {
  int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int();
  if (n < 1) n = 1;
  if (m < 1) m = 1;
  char *to = __builtin_alloca(n), *from = __builtin_alloca(m);
  for (int i = 0; i < m - 1; i++) from[i] = __VERIFIER_nondet_char();
  from[m - 1] = 0;
  copy(to, from, n);
  return 0;
}
