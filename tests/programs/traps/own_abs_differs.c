//@ verdict: unknown FIXME compilers differ in which abs they call
//@ engines: portfolio
// gcc computes abs itself, also where the program defines one; C leaves it open. The error is one of the two only.
extern void reach_error(void);

int abs(int x) { return 7; }
int main(void) {
  if (abs(-3) == 3) reach_error();
  return 0;
}
