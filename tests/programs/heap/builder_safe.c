//@ verdict: safe
//@ engines: portfolio
//@ property: valid-memsafety
// A string builder of fixed capacity; the bad one checks one too late.
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
struct builder { char *data; unsigned length, capacity; };
static void add(struct builder *b, char c) {
  if (b->length < b->capacity - 1u) {
    b->data[b->length] = c;
    b->length++;
    b->data[b->length] = 0;
  }
}
int main(void) {
  struct builder b;
  b.capacity = 16;
  b.length = 0;
  b.data = malloc(16);
  b.data[0] = 0;
  while (__VERIFIER_nondet_int()) add(&b, __VERIFIER_nondet_char());
  free(b.data);
  return 0;
}
