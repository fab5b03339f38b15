//@ verdict: unsafe
//@ engines: all
//@ no-aids: unknown impact split predabs trace
// The twin of wegner_safe.c with one sign changed: y & (y + 1) may leave y as it is.
extern void abort(void);
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  unsigned y = x;
  unsigned c = 0;
  while (y != 0) {
    y = y & (y + 1);
    c++;
    if (y == x) {
      reach_error(); //~ violated
    }
  }
  return 0;
}
