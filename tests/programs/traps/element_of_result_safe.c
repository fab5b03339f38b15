//@ verdict: safe
//@ engines: portfolio
// Elements of an array in a record that a function returned, by a number that is not constant.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct S { int tag; int a[3]; };
static struct S make(int x) { return (struct S){x, {x, x + 1, x + 2}}; }
int main(void) {
  int i = __VERIFIER_nondet_int();
  if (i < 0 || i > 2) return 0;
  if (make(4).a[i] != 4 + i) reach_error();
  const int *last = make(i).a + 2;
  return last == 0;
}
