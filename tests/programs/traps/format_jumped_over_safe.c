//@ verdict: safe
//@ engines: portfolio
//@ property: valid-deref
// A jump goes past the local's only write, and past its use.
extern int puts(const char *);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  const char *text;
  if (__VERIFIER_nondet_int()) goto past;
  text = "abc";
  puts(text);
past:
  return 0;
}
