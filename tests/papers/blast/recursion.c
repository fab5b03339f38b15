// Section 5.2: a function that calls itself. What the caller knows of its own variable and what the callee says of its
// parameter meet where the call returns.
extern void abort(void);
void reach_error(void) { abort(); }
int id(int x) {
  if (x == 0)
    return 0;
  return id(x - 1) + 1;
}
int main(void) {
  int input = 4;
  int result = id(input);
  if (result != 4)
    reach_error();
}
