// area: safe
struct box { int w, h; };
/*@ requires \valid_read(b);
    requires 0 <= b->w <= 100 && 0 <= b->h <= 100;
    ensures 0 <= \result <= 10000; */
int area(const struct box *b) { int s = 0; if (b->w > 0) s = b->h; return s; }
