//@ verdict: unsafe
//@ engines: all
//@ no-aids: unknown impact split whale predabs trace
// The twin of moving_limit_safe.c where it moves further.
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int limit = 40000, x = 0;
  while (x < 1000000) {
    if (x > 40000 && limit - x > 7) reach_error();
    if (x < limit)
      x++;
    else
      limit = x + 8;
  }
  return 0;
}
