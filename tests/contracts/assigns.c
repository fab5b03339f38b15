// bump: safe
int total, calls;
/*@ requires \valid(p) && \valid(q);
    assigns *p, total; */
void bump(int *p, int *q) { *p = *q; total = 1; if (*q != *p) calls = 0; }
