// get: unsafe
struct ring { unsigned char *data; unsigned at, mask; };
int get(struct ring *r) {
  int c = r->data[r->at];
  r->at = (r->at + 1) & r->mask;
  return c / r->data[r->at - r->at - 1];
}
