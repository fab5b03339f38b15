//@ verdict: safe
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
enum e { A = 5, B, C };
int main(void) {
  if (C != 7) reach_error();
  return 0;
}
