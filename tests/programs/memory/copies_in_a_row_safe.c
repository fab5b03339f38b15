//@ verdict: safe
//@ engines: portfolio
// Copies of copies: those in the middle are not read any more when the ends are compared.
extern void abort(void);
void reach_error(void) { abort(); }
int __VERIFIER_nondet_int(void);
int a[40000], b[40000], c[40000], d[40000];
int main(void) {
  for (int i = 0; i < 40000; i++)
    a[i] = __VERIFIER_nondet_int();
  for (int i = 0; i < 40000; i++)
    b[i] = a[i];
  for (int i = 0; i < 40000; i++)
    c[i] = b[i];
  for (int i = 0; i < 40000; i++)
    d[i] = c[i];
  for (int i = 0; i < 40000; i++)
    if (d[i] != a[i])
      reach_error();
  return 0;
}
