//@ verdict: safe
//@ engines: all except whale, trace: their candidates are not taken apart by cases
//@ no-aids: unknown impact split whale predabs trace
// The limit stays what it was until the counter reaches it, and then is close to it.
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int limit = 40000, x = 0;
  while (x < 1000000) {
    if (x > 40000 && limit - x > 7) reach_error();
    if (x < limit)
      x++;
    else
      limit = x + 7;
  }
  return 0;
}
