// sum: unsafe
/*@ ensures \result == a + b; */
unsigned sum(unsigned a, unsigned b) { return a + b; }
