// bump: unsafe
/*@ requires \valid(p) && \valid(q);
    assigns *p; */
void bump(int *p, int *q) { *p = *q; *q = 0; }
