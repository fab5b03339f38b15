//@ verdict: safe
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  char c = 200;
  if (c > 0) reach_error();
  return 0;
}
