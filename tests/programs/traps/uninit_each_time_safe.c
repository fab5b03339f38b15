//@ verdict: safe
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = 0, first = 0;
  for (int i = 0; i < 2; i++) {
    int fresh = __VERIFIER_nondet_int();
    int *p = &fresh;
    if (i == 0) first = *p;
    else if (*p != first) n = 1;
  }
  if (n > 1) reach_error();
  return 0;
}
