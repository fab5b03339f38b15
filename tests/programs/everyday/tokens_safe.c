//@ verdict: safe
//@ engines: portfolio
//@ property: valid-memsafety
// Words of a line are counted; the bad one skips blanks without looking for the end.
extern char __VERIFIER_nondet_char(void);
static int is_blank(char c) { return c == ' ' || c == '\t'; }
int main(void) {
  char line[8];
  for (int i = 0; i < 7; i++) line[i] = __VERIFIER_nondet_char();
  line[7] = 0;
  const char *p = line;
  int words = 0;
  while (*p) {
    while (is_blank(*p)) p++;
    if (!*p) break;
    words++;
    while (*p && !is_blank(*p)) p++;
  }
  return words;
}
