//@ verdict: safe
//@ engines: all
extern void abort(void);
void reach_error(void) { abort(); }
struct field { unsigned long long x : 40; };
int main(void) {
  struct field f = {0xffffffffffULL};
  if (f.x + 1 != 0) reach_error();
  return 0;
}
