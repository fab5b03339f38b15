//@ verdict: safe
//@ engines: portfolio
//@ property: valid-memsafety
// Two strings are put one after the other into a new one; the bad one has no room for the end.
extern void *malloc(unsigned long);
extern void free(void *);
extern char __VERIFIER_nondet_char(void);
static int length(const char *s) {
  int n = 0;
  while (s[n]) n++;
  return n;
}
int main(void) {
  char first[4], second[4];
  for (int i = 0; i < 3; i++) {
    first[i] = __VERIFIER_nondet_char();
    second[i] = __VERIFIER_nondet_char();
  }
  first[3] = second[3] = 0;
  char *both = malloc(length(first) + length(second) + 1);
  char *to = both;
  for (const char *p = first; *p; p++) *to++ = *p;
  for (const char *p = second; *p; p++) *to++ = *p;
  *to = 0;
  free(both);
  return 0;
}
