//@ verdict: safe
//@ engines: all
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  int a = -1;
  int b = 1;
  if (!(a < b)) reach_error();
  return 0;
}
