//@ verdict: unsafe
//@ engines: all
//@ no-aids: unknown trace
extern void abort(void);
void reach_error(void) { abort(); }
extern int __VERIFIER_nondet_int(void);

struct device { int running; int speed; int count; };

struct device devices[1000];

static void run(struct device *d) {
  d->running = 1;
  d->count = 0;
}

int main(void) {
  int k = __VERIFIER_nondet_int();
  if (k < 0 || k > 999)
    return 0;
  struct device *d = devices + k;
  int busy = 0;
  d->running = 0;
  d->speed = __VERIFIER_nondet_int();
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) {
      if (!d->running) {
        run(d);
        busy = 1;
      }
    } else if (d->running) {
      if (!busy)
        reach_error(); //~ violated
      d->running = 1;
      busy = 0;
    }
    d->count = d->speed;
  }
  return 0;
}
