//@ verdict: safe
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  int n = 0, i;
  for (i = 0; i < 4; i++) { if (i == 2) continue; n++; }
  if (n != 3) reach_error();
  return 0;
}
