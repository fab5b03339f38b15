//@ verdict: safe
//@ engines: portfolio
// Of a recursive function the activation that filled the buffer goes on.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

extern int setjmp(long *);
extern void longjmp(long *, int);
static int dive(int n, long *out) {
  long mine[25];
  volatile int kept = n;
  if (setjmp(mine)) return kept;
  if (n == 0) longjmp(out, 1);
  return dive(n - 1, n == 2 ? mine : out);
}
int main(void) {
  long first[25];
  if (setjmp(first)) return 0;
  if (dive(3, first) != 2) reach_error();
  return 0;
}
