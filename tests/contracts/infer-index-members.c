// get: safe, requires r != NULL, requires (*r).at < elements of (*r).data
struct ring { unsigned char *data; unsigned at, mask; };
int get(struct ring *r) {
  int c = r->data[r->at];
  r->at = (r->at + 1) & r->mask;
  return c;
}
