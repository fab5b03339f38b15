//@ verdict: safe
//@ engines: all
extern void abort(void);
void reach_error(void) { abort(); }
struct field { unsigned long long x : 40; };
int main(void) {
  struct field f = {0xffffffffffULL};
  if ((unsigned long long)(f.x + 0) + 1 != 0x10000000000ULL) reach_error();
  return 0;
}
