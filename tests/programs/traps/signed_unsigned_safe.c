//@ verdict: safe
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  if (-1 < 1u) reach_error();
  return 0;
}
