//@ verdict: unsafe
//@ engines: all
// The twin of residues_safe.c that asks for too little.
extern void abort(void);
void reach_error(void) { abort(); }
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned int i = 0, x = 0, y = 0, n = __VERIFIER_nondet_uint();
  while (i < n) {
    if (i % 3 == 0)
      x++;
    else
      y++;
    i++;
  }
  if (y > x) reach_error();
  return 0;
}
