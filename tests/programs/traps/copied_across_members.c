//@ verdict: unknown FIXME part of a value is copied: any value
//@ engines: portfolio
// Bytes copied across two members change both.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
void *memcpy(void *, const void *, unsigned long);
static struct { int a, b; } s, t = {0x11223344, 0x55667788};
int main(void) {
  memcpy((char *)&s + 2, (char *)&t + 2, 4);
  if (s.a == 0x11220000 && s.b == 0x7788) reach_error();
  return 0;
}
