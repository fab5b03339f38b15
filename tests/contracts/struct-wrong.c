// area: unsafe
struct box { int w, h; };
/*@ requires \valid_read(b);
    ensures \result >= 0; */
int area(const struct box *b) { return b->w; }
