//@ verdict: unsafe
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  int a = 1;
  int *p = &a, *q = &(int){0};
  *p = 2;
  *q = 3;
  if (a != 3) reach_error();
  return 0;
}
