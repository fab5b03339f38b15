// swap: unsafe
/*@ requires \valid(p) && \valid(q);
    ensures *p == \old(*q) && *q == \old(*p); */
void swap(int *p, int *q) { *p = *q; *q = *p; }
