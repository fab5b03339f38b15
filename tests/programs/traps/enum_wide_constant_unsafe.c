//@ verdict: unsafe
//@ engines: portfolio
// Constants that do not fit in int have the type of the enum, which is signed if one of them is negative.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
enum e { A = -1, B = 0xffffffffu };
enum f { C = 1, D = 0x80000000u };
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x >= 0) return 0;
  if (x > D) reach_error(); //~ violated
  if (sizeof(B) != 8 || sizeof(A) != 4 || sizeof(D) != 4 || B < A) reach_error();
  if (x == -1 && !(x > D)) reach_error();
  return 0;
}
