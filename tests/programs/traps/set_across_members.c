//@ verdict: unknown FIXME part of a value is written: any value
//@ engines: portfolio
// Bytes set across two members change both.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
void *memset(void *, int, unsigned long);
static struct { int a, b; } s;
int main(void) {
  memset((char *)&s + 2, 1, 4);
  if (s.a == 0x01010000 && s.b == 0x0101) reach_error();
  return 0;
}
