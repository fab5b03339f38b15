//@ verdict: safe
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  int a[5];
  int *p = a + 4, *q = a + 1;
  if (p - q != 3) reach_error();
  return 0;
}
