//@ verdict: unsafe
//@ engines: portfolio
// The smallest of very many inputs is moved to the front, then the smallest of the rest; the rest is not all there is.
extern void abort(void);
void reach_error(void) { abort(); }
int __VERIFIER_nondet_int(void);
int a[60000];
int main(void) {
  for (int i = 0; i < 60000; i++)
    a[i] = __VERIFIER_nondet_int();
  for (int i = 0; i < 60000; i++) {
    int smallest = i;
    for (int k = i + 1; k < 60000; k++)
      if (a[k] < a[smallest])
        smallest = k;
    int moved = a[i];
    a[i] = a[smallest];
    a[smallest] = moved;
    for (int k = 0; k < 60000; k++)
      if (a[k] < a[i])
        reach_error();
  }
  return 0;
}
