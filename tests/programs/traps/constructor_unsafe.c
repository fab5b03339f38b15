//@ verdict: unsafe
//@ engines: all
extern void abort(void);
void reach_error(void) { abort(); }
static int ready;
__attribute__((constructor)) static void begin(void) { ready = 1; }
int main(void) {
  if (ready != 0) reach_error(); //~ violated
  return 0;
}
