// back: safe, requires b != NULL, requires (*b).size < elements of (*b).data, requires (*b).n < (*b).size
struct buffer { unsigned n, size; unsigned char *data; };
int back(struct buffer *b) { return b->data[b->size - b->n]; }
