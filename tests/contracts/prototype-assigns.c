// use: unsafe
/*@ requires \valid(p);
    assigns *p; */
void fill(int *p);
/*@ ensures \result == 1; */
int use(void) { int x = 1; fill(&x); return x; }
