// half: safe
/*@ requires n >= 0;
    ensures 0 <= \result <= n; */
int half(int n) { return n / 2; }
