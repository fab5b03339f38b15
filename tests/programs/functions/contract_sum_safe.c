//@ verdict: safe
//@ engines: whale, trace, predabs, portfolio
//@ options: --contracts
// A contract is the summary that engines prove; without it they do not find it.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
/*@ requires 0 <= n <= 1000;
    ensures 2 * \result == n * (n + 1); */
int sum(int n) { return n == 0 ? 0 : n + sum(n - 1); }
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < 0 || x > 1000) return 0;
  if (2 * sum(x) != x * (x + 1)) reach_error();
  return 0;
}
