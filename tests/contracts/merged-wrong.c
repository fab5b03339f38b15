// next: unsafe
int last; /*@ requires n < 1000; */ /*@ ensures \result == n + 1; */
int next(int n) { return n + 2; }
