//@ verdict: unsafe
//@ engines: all
//@ no-aids: unknown impact split whale predabs trace
// The twin of phases_safe.c that falls more slowly.
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned int x = 0, y = 0;
  while (x < 100000000) {
    if (x < 50000000) {
      x = x + 1;
      y = y + 1;
    } else {
      x = x + 2;
      y = y - 1;
    }
  }
  if (x != 100000000 || y != 0) {
    reach_error(); //~ violated
  }
  return 0;
}
