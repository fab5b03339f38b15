extern int __VERIFIER_nondet_int(void);

/* The middle of an interval, as in many a binary search. */
static int middle(int low, int high) {
  return (low + high) / 2;
}

int main(void) {
  int low = __VERIFIER_nondet_int(), high = __VERIFIER_nondet_int();
  if (low < 0 || low > high) return 0;
  return middle(low, high);
}
