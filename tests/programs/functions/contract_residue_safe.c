//@ verdict: safe
//@ engines: whale, trace, predabs, portfolio
//@ options: --contracts
// A contract is the summary that engines prove; without it they do not find it.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
/*@ requires 0 <= n <= 100 && 0 <= k <= 6;
    ensures \result % 7 == (k + 5 * n) % 7 && 0 <= \result < 7; */
int turn(int n, int k) { return n == 0 ? k : turn(n - 1, k < 2 ? k + 5 : k - 2); }
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < 0 || x > 100) return 0;
  if (turn(x, 3) != (3 + 5 * x) % 7) reach_error();
  return 0;
}
