//@ verdict: safe
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
int add(int a, int b) { return a + b; }
int sub(int a, int b) { return a - b; }
int (*const table[])(int, int) = { add, sub };
int main(void) {
  if (table[1](7, 3) != 4) reach_error();
  return 0;
}
