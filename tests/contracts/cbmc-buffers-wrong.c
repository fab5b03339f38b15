// f: unsafe
#include <stdlib.h>
struct buffer { unsigned long length, room; unsigned char *bytes; };
int nondet_int(void);
static int valid(struct buffer *b) {
  return b->length <= b->room && (b->room == 0 ? b->bytes == 0 : b->bytes && __CPROVER_w_ok(b->bytes, b->room));
}
static int append(struct buffer *to, struct buffer *from) {
  if (to->room - to->length < from->length) return -1;
  for (unsigned long i = 0; i < from->length; i++) to->bytes[to->length + i] = from->bytes[i];
  to->length += from->length;
  return 0;
}
void f(void) {
  struct buffer a, b;
  __CPROVER_assume(a.room <= 8 && b.room <= 4);
  a.bytes = a.room == 0 ? 0 : malloc(a.room);
  b.bytes = b.room == 0 ? 0 : malloc(b.room);
  __CPROVER_assume(valid(&a) && valid(&b));
  unsigned long before = a.length, k;
  if (append(&a, &b) == 0) {
    __CPROVER_assert(a.length == before + b.length, "length");
    __CPROVER_assume(k < b.length);
    __CPROVER_assert(a.bytes[k] == b.bytes[k], "bytes");
  } else {
    __CPROVER_assert(a.room < before + b.length, "no room");
  }
  __CPROVER_assert(valid(&a) && valid(&b), "valid");
}
