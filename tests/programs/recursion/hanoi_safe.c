//@ verdict: safe
//@ engines: whale, trace, portfolio
//@ no-aids: unknown whale
// The towers of Hanoi take at least as many moves as there are discs.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

static int moves;
static void hanoi(int discs) {
  if (discs == 0) {
    return;
  }
  hanoi(discs - 1);
  moves = moves + 1;
  hanoi(discs - 1);
}

int main(void) {
  int discs = __VERIFIER_nondet_int();
  if (discs < 0 || discs > 30) {
    return 0;
  }
  moves = 0;
  hanoi(discs);
  if (!(moves >= discs)) {
    reach_error();
  }
  return 0;
}
