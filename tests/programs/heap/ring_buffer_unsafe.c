//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-memsafety
// A ring buffer; the bad one forgets to come round.
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
#define N 8
static int data[N];
static unsigned first, count;
static int put(int x) {
  if (count == N) return 0;
  data[(first + count) % N] = x;
  count++;
  return 1;
}
static int get(int *x) {
  if (count == 0) return 0;
  *x = data[first];
  first = first + 1;
  count--;
  return 1;
}
int main(void) {
  int x = 0;
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) put(__VERIFIER_nondet_int());
    else get(&x);
  }
  return 0;
}
