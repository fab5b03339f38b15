//@ verdict: unsafe
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  signed char c = (signed char)0x180;
  if (c != 384) reach_error();
  return 0;
}
