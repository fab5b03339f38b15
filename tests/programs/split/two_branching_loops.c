//@ verdict: safe
//@ engines: split
// Two loops with branches inside (the paper's example 03 has two loops, too): a never passes b.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  int a = 0, b = 0;
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) { a++; b++; } else { b++; }
    if (b > 1000) break;
  }
  while (a > 0) {
    if (__VERIFIER_nondet_int()) a--;
    else { a--; b--; }
  }
  if (b < 0) reach_error();
  return 0;
}
