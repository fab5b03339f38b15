//@ verdict: safe
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  int a[2] = { 1, 2 }, i = 0;
  int x = a[i++];
  if (x + i != 2) reach_error();
  return 0;
}
