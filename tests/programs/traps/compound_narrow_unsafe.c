//@ verdict: unsafe
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  unsigned char c = 250;
  c += 10;
  if (c != 260) reach_error();
  return 0;
}
