//@ verdict: safe
//@ engines: portfolio
// A name for a transparent union.
extern void reach_error(void);
typedef union {
  int *i;
  float *f;
} place __attribute__((transparent_union));
static int get(place p) { return *p.i; }
int main(void) {
  int x = 5;
  if (get(&x) != 5)
    reach_error();
  return 0;
}
