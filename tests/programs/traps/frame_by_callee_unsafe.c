//@ verdict: unsafe
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
void set(int *p, int v) { *p = v; }
int main(void) {
  int x = 1;
  set(&x, 5);
  if (x != 1) reach_error();
  return 0;
}
