//@ verdict: safe
//@ engines: portfolio
// The local is given a literal just before the call, and another one in between on some ways.
extern void abort(void);
extern int sprintf(char *, const char *, ...);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

int main(void) {
  char text[16];
  const char *format = "%d";
  if (__VERIFIER_nondet_int() == 3) format = "%d!";
  sprintf(text, format, 5);
  if (text[1] == '?') reach_error();
  return 0;
}
