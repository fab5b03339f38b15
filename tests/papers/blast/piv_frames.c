// Section 6.2 (PIV): each activation has a local of its own whose address it passes on.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
void set(int *p, int n) {
  int y = 0;
  if (n > 0) {
    set(&y, n - 1);
    *p = y;
  } else
    *p = 1;
}
int main(void) {
  int x = 0;
  set(&x, __VERIFIER_nondet_int());
  if (x != 1) reach_error();
  return 0;
}
