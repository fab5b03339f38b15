//@ verdict: unsafe
//@ engines: impact
//@ no-aids: unknown impact
// The error comes after a million rounds.
extern void reach_error(void);
int main(void) {
  unsigned x = 0, y = 0;
  while (x < 1000000) {
    if (x < 500000) y++;
    else y--;
    x++;
  }
  if (y == 0) reach_error(); //~ violated
  return 0;
}
