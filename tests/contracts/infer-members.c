// sum: safe, requires b != NULL, requires (*b).n <= elements of (*b).data
struct buffer { unsigned n; unsigned char *data; };
unsigned sum(struct buffer *b) {
  unsigned s = 0;
  for (unsigned i = 0; i < b->n; i++) s += b->data[i];
  return s;
}
