//@ verdict: unsafe
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  int a[5];
  int *p = a + 4, *q = a + 1;
  if (p - q != 12) reach_error();
  return 0;
}
