//@ verdict: safe
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
extern int compare(int, int);
int main(void) {
  int x = compare(1, 2);
  if (x != x) reach_error();
  return 0;
}
