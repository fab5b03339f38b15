// f: safe
/*@ requires positive: x > 0;
    ensures larger: \result > x; */
long f(int x) { return x + 1L; }
