//@ verdict: safe
//@ engines: whale, trace, portfolio
// Branches that meet again, inside a loop and inside a recursion.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

static int walk(int steps) {
  int x = 1;
  if (steps <= 0) {
    return x;
  }
  for (int i = 0; i < 3; i++) {
    if (__VERIFIER_nondet_int()) {
      x = x + 1;
    } else {
      x = x + 2;
    }
  }
  int y = walk(steps - 1);
  if (x < y) {
    return x;
  }
  return y;
}

int main(void) {
  if (walk(__VERIFIER_nondet_int()) < 1) {
    reach_error();
  }
  return 0;
}
