// sum: safe
/*@ requires a <= 1000 && b <= 1000;
    ensures \result == a + b; */
unsigned sum(unsigned a, unsigned b) { return a + b; }
