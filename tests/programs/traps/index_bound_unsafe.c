//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-deref
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  int a[3];
  for (int i = 0; i < 4; i++) a[i] = i;
  return 0;
}
