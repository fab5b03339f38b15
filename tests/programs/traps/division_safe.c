//@ verdict: safe
//@ engines: all
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  int a = -7;
  if (a / 2 != -3 || a % 2 != -1) reach_error();
  return 0;
}
