//@ verdict: unsafe
//@ engines: portfolio
//@ options: --wrapv
// A product of complex numbers.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  _Complex int z = 2 + 3i;
  z = z * z;
  __imag__ z += x;
  if (__real__ z != 5 || __imag__ z - x != 12 || ~z != __real__ z - 1i * __imag__ z)
    reach_error(); //~ violated
  return 0;
}
