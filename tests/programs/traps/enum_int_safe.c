//@ verdict: safe
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
enum e { A = -1, B = 3 };
int main(void) {
  enum e x = B;
  unsigned u = 2;
  if (A < u) reach_error();
  return 0;
}
