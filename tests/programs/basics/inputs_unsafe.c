//@ verdict: unsafe
//@ engines: all
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  int a = __VERIFIER_nondet_int();
  int b = __VERIFIER_nondet_int();
  unsigned char c = __VERIFIER_nondet_uchar();
  if (a > 100 && b == a + 7 && c == 200) {
    reach_error(); //~ violated
  }
  return 0;
}
