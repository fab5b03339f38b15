//@ verdict: safe
//@ engines: all
extern void abort(void);
void reach_error(void) { abort(); }
static int ready;
__attribute__((constructor)) static void begin(void) { ready = 1; }
int main(void) {
  if (ready != 1) reach_error();
  return 0;
}
