//@ verdict: safe
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  int n = 0;
  again:
  n++;
  if (n < 4) goto again;
  if (n != 4) reach_error();
  return 0;
}
