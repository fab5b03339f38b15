// rest: safe, requires b != NULL
struct base { int kind; };
struct derived { struct base base; int n; int *at; };
int rest(struct base *b) {
  struct derived *d = (struct derived *)b;
  return d->at ? *d->at + d->n : d->base.kind;
}
