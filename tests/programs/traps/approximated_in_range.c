//@ verdict: unknown FIXME inline assembly is not modelled, so its value decides nothing
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  int x;
  __asm__("" : "=r"(x));
  if (x >= 0 && x <= 255) reach_error();
  return 0;
}
