// use: unsafe
/*@ requires d > 0; */
int divide(int n, int d) { return n / d; }
int use(int n, int d) { if (d == 0) return 0; return divide(n, d); }
