//@ verdict: unsafe
//@ engines: all
//@ no-aids: unknown impact split whale predabs trace
// The loop goes round 134 million times before the error; runs jump over laps that only count.
extern void abort(void);
void reach_error(void) { abort(); }

unsigned int step(unsigned int z) { return z + 2; }

int main(void) {
  unsigned int x = 0, y = 5;
  while (x < 0x0fffffff) {
    if (x < 0x0ffffff0) {
      y = y + 1;
    }
    x = step(x);
  }
  if (x % 2 == 0 && y == 134217725) {
    reach_error(); //~ violated
  }
  return 0;
}
