//@ verdict: unsafe
//@ engines: portfolio
// A text that is only read as numbers: its bytes make them up.
extern void abort(void);
void reach_error(void) { abort(); }

static const _Alignas(4) char bytes[8] = "\6\0\0\0\1\1\0";

int get(const int *p) { return *p; }

int main(void) {
  if (get((const int *)bytes) != 6 || get((const int *)bytes + 1) != 513)
    reach_error();
  return 0;
}
