//@ verdict: safe
//@ engines: portfolio
//@ property: valid-memsafety
// A queue with both ends; the bad one keeps a tail that was freed.
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
struct job { int id; struct job *next; };
struct queue { struct job *first, *last; };
static void put(struct queue *q, int id) {
  struct job *job = malloc(sizeof *job);
  job->id = id;
  job->next = 0;
  if (q->last) q->last->next = job;
  else q->first = job;
  q->last = job;
}
static int take(struct queue *q) {
  struct job *job = q->first;
  int id = job->id;
  q->first = job->next;
  if (!q->first) q->last = 0;
  free(job);
  return id;
}
int main(void) {
  struct queue q = {0, 0};
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) put(&q, __VERIFIER_nondet_int());
    else if (q.first) take(&q);
  }
  while (q.first) take(&q);
  return 0;
}
