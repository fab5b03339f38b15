//@ verdict: safe
//@ engines: all except trace: not within the time of a test
extern void abort(void);
void reach_error(void) { abort(); }
extern void *malloc(unsigned long);
extern int __VERIFIER_nondet_int(void);

struct buffer { int length; int used; struct buffer *next; };
struct device { int open; int count; struct buffer *first; };

int started = 0, finished = 0;

static void start(struct device *d) {
  if (started != finished)
    reach_error();
  started = started + 1;
  d->count = d->count + 1;
}

static void finish(struct device *d) {
  if (started != finished + 1)
    reach_error();
  finished = finished + 1;
  if (d->first)
    d->first->used = d->count;
}

static int transfer(struct device *d, int amount) {
  struct buffer *b = d->first;
  if (b && b->length - b->used < amount) {
    d->first = b->next;
    return -1;
  }
  if (b)
    b->used = b->used + amount;
  return 0;
}

int main(void) {
  struct device *d = malloc(sizeof *d);
  d->count = 0;
  d->open = 0;
  d->first = malloc(sizeof(struct buffer));
  d->first->length = __VERIFIER_nondet_int();
  d->first->used = 0;
  d->first->next = 0;
  while (__VERIFIER_nondet_int()) {
    start(d);
    int failed = transfer(d, __VERIFIER_nondet_int() % 100);
    if (failed)
      d->count = 0;
    finish(d);
  }
  return 0;
}
