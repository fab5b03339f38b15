//@ verdict: safe
//@ engines: all
extern void abort(void);
void reach_error(void) { abort(); }
int bar = 3;
extern int foo __asm__("bar");
int main(void) {
  foo = 4;
  if (bar != 4) reach_error();
  return 0;
}
