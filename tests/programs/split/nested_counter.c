//@ verdict: safe
//@ engines: split
// A 4-bit counter with nested branches; only the highest bit is asked about, and the loop condition
// says it (the paper's example 01).
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  int b0 = 0, b1 = 0, b2 = 0, b3 = 0;
  while (b3 == 0) {
    if (b0 == 0) b0 = 1;
    else {
      b0 = 0;
      if (b1 == 0) b1 = 1;
      else {
        b1 = 0;
        if (b2 == 0) b2 = 1;
        else { b2 = 0; b3 = 1; }
      }
    }
  }
  if (b3 == 0) reach_error();
  return 0;
}
