// use: safe
/*@ requires d != 0;
    ensures \result * d <= n || \result * d >= n; */
int divide(int n, int d) { return n / d; }
int use(int n) { return divide(n, 2); }
