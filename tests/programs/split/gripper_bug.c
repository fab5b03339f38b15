//@ verdict: unsafe
//@ engines: split
// Twin of gripper.c with a bug (the paper's example 05): the left gripper keeps the ball that it
// drops in the second room.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  int room = 0, left = 0, right = 0, a = 4, b = 0;
  while (__VERIFIER_nondet_int()) {
    int action = __VERIFIER_nondet_int();
    if (action == 0) { room = 1 - room; }
    else if (action == 1) {
      if (left == 0) {
        if (room == 0 && a > 0) { a--; left = 1; }
        else if (room == 1 && b > 0) { b--; left = 1; }
      }
    } else if (action == 2) {
      if (right == 0) {
        if (room == 0 && a > 0) { a--; right = 1; }
        else if (room == 1 && b > 0) { b--; right = 1; }
      }
    } else if (action == 3) {
      if (left == 1) { if (room == 0) { a++; left = 0; } else b++; }
    } else if (action == 4) {
      if (right == 1) { if (room == 0) a++; else b++; right = 0; }
    }
  }
  if (a + b + left + right != 4) reach_error();
  return 0;
}
