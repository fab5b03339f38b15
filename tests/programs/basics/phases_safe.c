//@ verdict: safe
//@ engines: all except whale, trace: their candidates are not taken apart by phases
//@ no-aids: unknown impact split predabs
// Even from the second phase on, and on a falling line: both hold in one phase only.
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
      y = y - 2;
    }
  }
  if (x != 100000000 || y != 0) {
    reach_error();
  }
  return 0;
}
