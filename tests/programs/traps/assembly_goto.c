//@ verdict: unknown FIXME whether assembly jumps is not modelled, so that it jumps is no error
//@ engines: portfolio
extern void reach_error(void);
int main(void) {
  __asm__ goto("" : : : : out);
  return 0;
out:
  reach_error();
  return 0;
}
