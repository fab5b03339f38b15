//@ verdict: safe
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
union u { int i; unsigned w; };
int main(void) {
  union u x;
  x.i = -1;
  if (x.w < 5u) reach_error();
  return 0;
}
