// both: safe
/*@ requires \valid(p) && \valid(q);
    requires \separated(p, q);
    ensures *p == 1 && *q == 2; */
void both(int *p, int *q) { *p = 1; *q = 2; }
