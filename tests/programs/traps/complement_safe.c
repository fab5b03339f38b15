//@ verdict: safe
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  unsigned char c = 0;
  if (~c != -1) reach_error();
  return 0;
}
