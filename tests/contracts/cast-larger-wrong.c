// rest: unsafe
struct base { int kind; };
struct derived { struct base base; int n; int at[2]; };
int rest(struct base *b) {
  if (!b) return 0;
  struct derived *d = (struct derived *)b;
  return d->at[2 + (d->n & 1)];
}
