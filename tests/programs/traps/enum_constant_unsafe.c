//@ verdict: unsafe
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
enum e { A = 5, B, C };
int main(void) {
  if (C != 6) reach_error();
  return 0;
}
