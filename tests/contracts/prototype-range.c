// use: safe
/*@ requires \valid(p + (0 .. n - 1)) && n > 0;
    assigns p[0 .. n - 1]; */
void fill(int *p, int n);
/*@ ensures \result == 4; */
int use(void) { int x[4] = {1, 2, 3, 4}; fill(x, 3); return x[3]; }
