//@ verdict: unsafe
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int(), n = 0;
  switch (x) {
    for (n = 0; n < 2; n++) {
  case 7: n += 10;
    }
  }
  if (n == 11) reach_error();
  return 0;
}
