//@ verdict: unsafe
//@ engines: split
// Twin of transfer.c: the second move loses a token.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  int n = __VERIFIER_nondet_int();
  int x = n, y = 0, z = 0;
  while (x != 0) {
    if (__VERIFIER_nondet_int()) { x = x + 1; y = y - 1; }
    if (__VERIFIER_nondet_int()) { y = y + 1; z = z - 2; }
    if (__VERIFIER_nondet_int()) { z = z + 1; x = x - 1; }
  }
  if (n != y + z) reach_error();
  return 0;
}
