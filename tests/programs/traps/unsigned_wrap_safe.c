//@ verdict: safe
//@ engines: all
extern void abort(void);
void reach_error(void) { abort(); }
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned u = __VERIFIER_nondet_uint();
  unsigned v = u + 1;
  if (v == 0 && u != 4294967295u) reach_error();
  return 0;
}
