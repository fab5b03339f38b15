//@ verdict: unsafe
//@ engines: portfolio
// Objects lie where the alignments of their declarations and types ask for it.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static char first;
static int second __attribute__((aligned(256)));
struct __attribute__((aligned(128))) Wide { int a; };
static char third;
static struct Wide fourth;
int main(void) {
  _Alignas(64) char local[3];
  char next;
  unsigned long a = (unsigned long)&second, b = (unsigned long)&fourth, c = (unsigned long)local;
  if (a % 256 || b % 128 || c % 64) reach_error();
  if ((unsigned long)&first == 0 || (unsigned long)&third == 0 || (unsigned long)&next == 0) reach_error();
  if (_Alignof(second) != 4) reach_error(); //~ violated
  return local[0] & 0;
}
