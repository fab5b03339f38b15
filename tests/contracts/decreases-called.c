// twice: safe
/*@ decreases n; */
int down(unsigned char n) { return n == 0 ? 0 : down(n - 1); }
int twice(void) { return down(2) + down(3); }
