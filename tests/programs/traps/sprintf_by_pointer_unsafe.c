//@ verdict: unsafe
//@ engines: portfolio
// What a library function writes, it writes through a pointer too.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int sprintf(char *, const char *, ...);
static char buffer[4];
static void print(int (*f)(char *, const char *, ...)) { f(buffer, "%d", 5); }
int main(void) {
  print(sprintf);
  if (buffer[0] != '6') reach_error(); //~ violated
  return 0;
}
