//@ verdict: safe
//@ engines: portfolio
//@ property: valid-memsafety
// A table with open addressing; the bad one steps past its end.
extern int __VERIFIER_nondet_int(void);
#define SLOTS 16
static int keys[SLOTS];
static int used[SLOTS];
static int insert(int key) {
  unsigned at = (unsigned)key % SLOTS;
  for (int tries = 0; tries < SLOTS; tries++) {
    if (!used[at] || keys[at] == key) {
      used[at] = 1;
      keys[at] = key;
      return 1;
    }
    at = (at + 1) % SLOTS;
  }
  return 0;
}
int main(void) {
  while (__VERIFIER_nondet_int())
    if (!insert(__VERIFIER_nondet_int())) return 1;
  return 0;
}
