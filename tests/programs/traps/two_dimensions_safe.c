//@ verdict: safe
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  int a[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
  if (a[1][0] != 4) reach_error();
  return 0;
}
