// Section 6.2 (PIV): a recursive function writes (wrong) through a pointer to a local of its caller.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
void count(int *p, int n) {
  if (n > 0) {
    *p = *p + 1;
    count(p, n - 1);
  }
}
int main(void) {
  int x = 0;
  int n = __VERIFIER_nondet_int();
  if (n < 0) return 0;
  count(&x, n);
  if (x == n) reach_error();
  return 0;
}
