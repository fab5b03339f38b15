//@ verdict: safe
//@ engines: split
// Single loop, no branch inside (the paper's example 02): a lock is held while old == new.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  int lock = 0, new = __VERIFIER_nondet_int(), old;
  do {
    lock = 1;
    old = new;
    if (__VERIFIER_nondet_int()) { lock = 0; new = new + 1; }
  } while (new != old);
  if (lock != 1) reach_error();
  return 0;
}
