// fact: safe
/*@ requires 0 <= n <= 5;
    ensures \result >= 1; */
int down(int n) { return n == 0 ? 1 : down(n - 1); }
/*@ ensures \result >= 1; */
int fact(void) { return down(3); }
