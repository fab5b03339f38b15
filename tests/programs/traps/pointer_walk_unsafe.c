//@ verdict: unsafe
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  int a[3] = { 1, 2, 3 };
  int *p = a, s = 0;
  while (p < a + 3) s += *p++;
  if (s != 3) reach_error();
  return 0;
}
