//@ verdict: unsafe
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  unsigned short a = 65535;
  if (a + 1 != 0) reach_error();
  return 0;
}
