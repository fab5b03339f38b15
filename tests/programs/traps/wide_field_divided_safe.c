//@ verdict: safe
//@ engines: portfolio
// `/=` and `%=` divide in the 40 bits of the field too: -1 is its largest value there. The place is evaluated once.
extern void reach_error(void);
struct fields {
  unsigned long long f : 40;
  long long g : 35;
};
struct fields all[2] = {{0xffffffffff, 7}, {0xffffffffff, 7}};
int calls;
struct fields *next(void) { return &all[calls++]; }
int main(void) {
  int minus = -1;
  next()->f /= minus;
  next()->f %= minus;
  all[1].g /= all[0].f - 3;
  if (all[0].f != 1 || all[1].f != 0 || all[1].g != 0 || calls != 2)
    reach_error();
  return 0;
}
