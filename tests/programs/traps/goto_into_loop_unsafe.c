//@ verdict: unsafe
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  int i = 5, n = 0;
  goto inside;
  for (i = 0; i < 3; i++) {
  inside:
    n++;
  }
  if (n != 3) reach_error();
  return 0;
}
