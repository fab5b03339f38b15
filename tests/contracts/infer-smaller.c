// put: safe, requires b != NULL, requires (*b).size <= elements of (*b).data, requires (*b).n < (*b).size
struct buffer { unsigned n, size; unsigned char *data; };
void put(struct buffer *b) { if (b->size) b->data[b->n] = 0; }
