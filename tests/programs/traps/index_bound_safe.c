//@ verdict: safe
//@ engines: portfolio
//@ property: valid-deref
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  int a[3];
  for (int i = 0; i < 3; i++) a[i] = i;
  return 0;
}
