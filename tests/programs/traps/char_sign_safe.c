//@ verdict: safe
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  unsigned char c = (char)200;
  if (c != 200) reach_error();
  return 0;
}
