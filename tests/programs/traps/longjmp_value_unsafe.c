//@ verdict: unsafe
//@ engines: portfolio
// `setjmp` returns again, with the value of `longjmp`, 1 for 0, from any depth of calls.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

extern int setjmp(long *);
extern void longjmp(long *, int);
static long buffer[25];
static void inner(int x) {
  if (x > 3) longjmp(buffer, x - 4);
}
static void outer(int x) {
  inner(x);
  inner(x + 1);
}
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < 0 || x > 5) return 0;
  int came = setjmp(buffer);
  if (came == 0) {
    outer(x);
    if (x > 1) reach_error(); //~ violated
  } else if (came != 1) {
    reach_error();
  }
  return 0;
}
