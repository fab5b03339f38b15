//@ verdict: safe
//@ engines: portfolio
//@ property: no-overflow
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  int x = 1;
  x = x + 2147483646;
  return 0;
}
