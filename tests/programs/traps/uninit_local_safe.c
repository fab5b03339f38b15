//@ verdict: safe
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  int n = 0;
  for (int i = 0; i < 3; i++) {
    int fresh;
    if (i == 0) fresh = 5;
    if (i == 2 && fresh != 5) n = 1;
  }
  if (n > 1) reach_error();
  return 0;
}
