//@ verdict: safe
//@ engines: all
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  __SIZE_TYPE__ n = -1;
  if (n != __SIZE_MAX__) reach_error();
  return 0;
}
