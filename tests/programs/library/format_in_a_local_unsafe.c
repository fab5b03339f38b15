//@ verdict: unsafe
//@ engines: portfolio
// A format that a local was given just before is as good as a literal; one that was given on some ways only is not.
extern void abort(void);
extern int printf(const char *, ...);
extern int sprintf(char *, const char *, ...);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

static int keys;
static void add(int key) {
  const char *format;
  char text[16];
  int written;
  {
  format = "key: %d\n";
  keys = keys + 1;
  printf(format, key);
  }
  {
    const char *other = "%d-%d";
    written = sprintf(text, other, key % 10, 7);
  }
  if (written != 3 || text[1] != '-') reach_error();
}
int main(void) {
  int rounds = 0;
  int op1 = 0, op2 = 0, op3 = 0, op4 = 0;
  while (rounds < 4) {
    rounds++;
    if (!op1 && __VERIFIER_nondet_int()) { add(1); op1 = 1; }
    else if (!op2 && __VERIFIER_nondet_int()) { add(2); op2 = 1; }
    else if (!op3 && __VERIFIER_nondet_int()) { add(3); op3 = 1; }
    else if (!op4 && __VERIFIER_nondet_int()) { add(4); op4 = 1; }
    else break;
  }
  if (keys != op1 + op2 + op3) reach_error(); //~ violated
  return 0;
}
