//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-memsafety
// How often each value occurs; the bad one counts values that are too small.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int counts[10] = {0};
  while (__VERIFIER_nondet_int()) {
    int value = __VERIFIER_nondet_int();
    if (value >= -1 && value < 10 && counts[value] < 1000) counts[value]++;
  }
  int all = 0;
  for (int i = 0; i < 10; i++) all += counts[i];
  return all;
}
