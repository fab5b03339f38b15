//@ verdict: safe
//@ engines: portfolio
//@ property: valid-memsafety
// Digits of a terminated buffer; the bad one has no terminator.
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
int main(void) {
  char buffer[32];
  for (int i = 0; i < 31; i++) buffer[i] = __VERIFIER_nondet_char();
  buffer[31] = 0;
  const char *p = buffer;
  while (*p == ' ') p++;
  unsigned value = 0;
  while (*p >= '0' && *p <= '9') {
    value = value * 10u + (unsigned)(*p - '0');
    p++;
  }
  return value == 7u;
}
