//@ verdict: safe
//@ engines: all
// A bit-field narrower than int is promoted to int, also behind a comma and in a statement expression; a
// cast to its declared type makes it unsigned.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

struct S {
  unsigned f : 10;
} s;

int main(void) {
  int m = __VERIFIER_nondet_int();
  if (m >= 0) {
    return 0;
  }
  s.f = 20;
  if (!(m < s.f) || !(m < (m, s.f)) || !(m < ({ s.f; })) || m < (unsigned)s.f - 20) {
    reach_error();
  }
  return 0;
}
