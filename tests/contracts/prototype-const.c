// use: safe
/*@ requires \valid_read(p); */
void look(const int *p);
/*@ ensures \result == 1; */
int use(void) { int x = 1; look(&x); return x; }
