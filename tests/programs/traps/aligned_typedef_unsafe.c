//@ verdict: unsafe
//@ engines: all
extern void abort(void);
void reach_error(void) { abort(); }
typedef int wide __attribute__((aligned(16)));
struct pair { char c; wide x; };
int main(void) {
  if (sizeof(struct pair) != 8) reach_error(); //~ violated
  return 0;
}
