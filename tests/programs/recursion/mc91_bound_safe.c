//@ verdict: safe
//@ engines: whale, trace, portfolio
// McCarthy's 91 function never returns less than 91.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

static int mc91(int n) {
  if (n > 100) {
    return n - 10;
  }
  return mc91(mc91(n + 11));
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n > 1000000) {
    return 0;
  }
  int r = mc91(n);
  if (!(r >= 91)) {
    reach_error();
  }
  return 0;
}
