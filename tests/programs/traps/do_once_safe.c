//@ verdict: safe
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  int n = 0;
  do n++; while (n < 1);
  if (n != 1) reach_error();
  return 0;
}
