//@ verdict: unsafe
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  signed char c = (char)200;
  if (c != 200) reach_error();
  return 0;
}
