//@ verdict: unsafe
//@ engines: portfolio
// A text of `char` that is only read as `unsigned char`: what it begins with has the sign of the reader.
extern void abort(void);
void reach_error(void) { abort(); }
extern int __VERIFIER_nondet_int(void);

static char text[2][40] = {"a\xC7", "b"};

int get(const unsigned char *p, int i) { return p[i]; }

int main(void) {
  int i = __VERIFIER_nondet_int();
  if (i < 0 || i >= 40)
    return 0;
  if (get((const unsigned char *)text[0], i) == 0xC7)
    reach_error();
  return 0;
}
