//@ verdict: safe
//@ engines: portfolio
//@ property: valid-memsafety
// A ring buffer of eight numbers; the bad one wraps one too late.
extern int __VERIFIER_nondet_int(void);
#define SIZE 8
struct ring { int data[SIZE]; unsigned head, count; };
static void put(struct ring *r, int value) {
  if (r->count == SIZE) return;
  unsigned at = r->head + r->count;
  if (at >= SIZE) at -= SIZE;
  r->data[at] = value;
  r->count++;
}
static int get(struct ring *r) {
  int value = r->data[r->head];
  r->head++;
  if (r->head == SIZE) r->head = 0;
  r->count--;
  return value;
}
int main(void) {
  struct ring r;
  r.head = 0;
  r.count = 0;
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) put(&r, __VERIFIER_nondet_int());
    else if (r.count > 0) get(&r);
  }
  return 0;
}
