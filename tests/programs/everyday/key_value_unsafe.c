//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-memsafety
// A line is cut at its equals sign; the bad one does not stop at the end of the line.
extern char __VERIFIER_nondet_char(void);
int main(void) {
  char line[10];
  for (int i = 0; i < 9; i++) line[i] = __VERIFIER_nondet_char();
  line[9] = 0;
  int at = 0;
  while (line[at] != '=') at++;
  if (line[at] != '=') return 1;
  line[at] = 0;
  char *value = line + at + 1;
  int length = 0;
  while (value[length]) length++;
  return length;
}
