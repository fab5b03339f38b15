//@ verdict: safe
//@ engines: all
extern void abort(void);
void reach_error(void) { abort(); }
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int state = 16;
  int base = 0, bit = 0;
  while (1) {
    if (state == 16) {
      base = 4096;
      bit = 1 << 4;
      state = 32;
    } else if (state == 32) {
      state = __VERIFIER_nondet_int() ? (base + bit) * 2 : 16;
    } else if (state == 8224) {
      base = 0;
      state = bit;
    } else {
      reach_error();
    }
  }
}
