//@ verdict: safe
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  unsigned short a = 65535;
  if (a + 1 != 65536) reach_error();
  return 0;
}
