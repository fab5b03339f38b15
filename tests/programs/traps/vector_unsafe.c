//@ verdict: unsafe
//@ engines: portfolio
// Operators of vectors work on the elements; a comparison gives 0 or -1.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
typedef int v2 __attribute__((vector_size(8)));
int main(void) {
  int x = __VERIFIER_nondet_int();
  v2 a = {x, 3}, b = {x, 2};
  v2 less = b < a, sum = (v2){1, 2} + 1;
  if (less[0] != 0 || less[1] != 1 || sum[1] != 3)
    reach_error(); //~ violated
  return 0;
}
