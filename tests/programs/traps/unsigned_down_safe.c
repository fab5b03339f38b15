//@ verdict: safe
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  unsigned i = 3, n = 0;
  while (i > 0) { i--; if (n++ > 5) reach_error(); }
  return 0;
}
