//@ verdict: safe
//@ engines: all
//@ no-aids: unknown impact split whale predabs trace
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  int x = 0, y = 0;
  while (x < 1000) {
    x++;
    y++;
  }
  if (y != 1000) reach_error();
  return 0;
}
