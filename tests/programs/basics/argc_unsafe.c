//@ verdict: unsafe
//@ engines: all
// The arguments of main are inputs: the counterexample must carry their values.
extern void abort(void);
void reach_error(void) { abort(); }

int main(int argc, char **argv) {
  int x = 3 * argc;
  if (x == 21) {
    reach_error(); //~ violated
  }
  return 0;
}
