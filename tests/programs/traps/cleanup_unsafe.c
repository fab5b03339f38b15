//@ verdict: unsafe
//@ engines: portfolio
// The cleanup of a variable runs wherever its block is left, after the value of `return` is computed.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int n;
static void close(int *p) { n = n * 10 + *p; }
static int walk(int way) {
  int a __attribute__((cleanup(close))) = 1;
  if (way == 1) return n;
  for (int i = 0; i < 2; i++) {
    int b __attribute__((cleanup(close))) = 2 + i;
    if (way == 2) break;
    if (way == 3) goto out;
  }
out:
  return n;
}
int main(void) {
  int way = __VERIFIER_nondet_int();
  int r = walk(way);
  if (way == 1 && (r != 0 || n != 1)) reach_error();
  if ((way == 2 || way == 3) && (r != 2 || n != 21)) reach_error();
  if (way == 4 && n != 321) reach_error(); //~ violated
  return 0;
}
