//@ verdict: unsafe
//@ engines: whale, trace, portfolio
// A function without loops but with many paths, called on the way down a recursion.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

static int points(int a, int b, int c, int d, int e) {
  int p = 0;
  if (a > b) {
    p = p + 1;
  }
  if (a > c) {
    p = p + 1;
  }
  if (a > d) {
    p = p + 1;
  }
  if (a > e) {
    p = p + 1;
  }
  if (b > c) {
    p = p + 1;
  }
  if (b > d) {
    p = p + 1;
  }
  if (b > e) {
    p = p + 1;
  }
  if (c > d) {
    p = p + 1;
  }
  if (c > e) {
    p = p + 1;
  }
  if (d > e) {
    p = p + 1;
  }
  return p;
}

static int most(int rounds) {
  if (rounds <= 0) {
    return 0;
  }
  int a = __VERIFIER_nondet_int();
  int b = __VERIFIER_nondet_int();
  int c = __VERIFIER_nondet_int();
  int d = __VERIFIER_nondet_int();
  int e = __VERIFIER_nondet_int();
  int now = points(a, b, c, d, e);
  int before = most(rounds - 1);
  if (now > before) {
    return now;
  }
  return before;
}

int main(void) {
  int best = most(__VERIFIER_nondet_int());
  if (best >= 10) {
    reach_error(); //~ violated
  }
  return 0;
}
