//@ verdict: safe
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

extern void __VERIFIER_nondet_memory(void *, unsigned long);
int main(void) {
  int x = 0;
  __VERIFIER_nondet_memory(&x, 2);
  CHECK(x <= 65535 && x >= 0);
  return 0;
}
