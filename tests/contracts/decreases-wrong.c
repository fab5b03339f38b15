// sum: unsafe
/*@ requires 0 <= n <= 3;
    decreases n - 2; */
int sum(int n) { return n == 0 ? 0 : n + sum(n - 1); }
