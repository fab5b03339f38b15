//@ verdict: unsafe
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
union u { unsigned i; unsigned char c[4]; };
int main(void) {
  union u x;
  x.i = 0x01020304;
  if (x.c[1] != 4) reach_error();
  return 0;
}
